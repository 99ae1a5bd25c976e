"""Sackson swap. Pure."""
