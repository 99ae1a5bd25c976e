"""One module a microcontroller board: its pins and its main loop."""
