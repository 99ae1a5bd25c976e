"""Sackson swap: docs/reference/games/swap.md."""
