"""Turns a snapshot into the colours of pixels, the sounds of the buzzer and the texts of a small display. Pure.

`lights` paints a frame in the colours of a `theme`, `dice` adds the pips, `sounds` chooses a sound, `screen` writes the
texts. This package imports boards, common, ports and messages only.
"""
