"""The board's own program, in the language CPython and MicroPython share. Copied whole onto the microcontroller."""
