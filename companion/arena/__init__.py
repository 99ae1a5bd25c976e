"""Matches between two programs over the same deals: games, players, intervals and a sequential test."""
