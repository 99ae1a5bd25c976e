"""Boards as data: holes, lanes, wiring and board files. Pure."""
