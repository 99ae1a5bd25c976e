"""Learns how a board is wired, hole by hole."""
