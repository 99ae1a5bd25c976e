"""Advice, review and skill levels. Pure."""
