"""Schematics for people, drawn from the boards' netlists: `python -m hardware.pcb.schematic FOLDER…`.

`symbols` draws parts, wires and names of nets, `sheets` arranges them by function, `reading` reads the nets back from a
drawing, `pdf` turns the drawings into one PDF file. Imports `hardware.pcb` and `companion.plugins.drawing`.
"""
