"""Durable storage of moves: file format, hash chain, recovery, backup. Knows neither rules nor tables."""
