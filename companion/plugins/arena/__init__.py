"""Matches between two programs over the same deals: games, players, intervals and a sequential test."""

from companion.plugin import Plugin

PLUGIN = Plugin(name="arena", commands={"arena": "companion.plugins.arena.match:arena"})
