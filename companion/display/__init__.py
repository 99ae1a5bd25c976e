"""Turns a snapshot into the colours of pixels, the sounds of the buzzer and the texts of a small display. Pure.

`lights` paints a frame in the colours of a `theme`, `panel` chooses a sound and writes the texts. This package imports
boards, common, ports and messages only.
"""
