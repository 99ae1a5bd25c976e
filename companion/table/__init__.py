"""The table: its state, one private lock, inputs in, snapshots out. Imports no server, history or application code."""
