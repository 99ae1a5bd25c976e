"""Simulated devices: what a laptop lacks."""
