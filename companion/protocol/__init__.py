"""JSON of moves, answers and snapshots."""
