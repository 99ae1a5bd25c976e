"""One module for each microcontroller board, with its pins and main loop."""
