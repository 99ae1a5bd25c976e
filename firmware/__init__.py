"""The board's firmware, written for CPython and MicroPython. The whole package is copied to the microcontroller."""
