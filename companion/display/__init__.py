"""Turns a snapshot into pixels and sounds. Pure."""
