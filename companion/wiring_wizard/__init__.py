"""The wiring wizard: learns how a board is wired, hole by hole (`companion learn`).

`steps` is the pure state machine, `session` runs it with real devices.
"""
