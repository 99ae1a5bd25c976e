"""Boards as data: holes, routes, lanes, wiring and board files. Pure, except that `catalog` reads files.

`board` has the values, `board_file` parses TOML into them, `catalog` finds and loads boards, `wiring` maps the chain of
shift registers and the strip of pixels, `geometry` and `light_positions` compute places in millimetres. This package
imports common and i18n only.
"""
