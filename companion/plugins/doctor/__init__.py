"""Checks of this machine for `companion doctor`. Each failed check has one line that says how to fix it."""

from companion.plugin import Plugin

PLUGIN = Plugin(name="doctor", commands={"doctor": "companion.plugins.doctor.checks:doctor"})
