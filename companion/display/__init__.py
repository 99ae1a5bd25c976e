"""Turns a snapshot into the colours of pixels and the sounds of the buzzer. Pure.

`lights` paints a frame in the colours of a `theme`, `dice` adds the pips, `sounds` chooses a sound. This package
imports boards and common only.
"""
