"""The wiring wizard: learns how a board is wired, hole by hole (`companion learn`).

`steps` is the pure state machine, `session` runs it with real devices.
"""

from companion.plugin import Plugin

PLUGIN = Plugin(name="wiring_wizard", commands={"learn": "companion.plugins.wiring_wizard.learn_command:learn"})
