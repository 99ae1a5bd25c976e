"""Circuits of the boards for ngspice: the drop of 5 V over the copper of a stored board, and the clock of a chain.

`python -m hardware.spice` runs both and prints what it finds. Needs ngspice.
"""
