"""Boards as data: holes, routes, lanes, wiring and board files. Pure, except that `catalog` reads files.

`board` has the values, the wiring too, `board_file` parses TOML into them, `catalog` finds and loads boards, `geometry`
computes places in millimetres. This package imports common and i18n only.
"""
