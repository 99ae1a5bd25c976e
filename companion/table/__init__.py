"""The state: one private lock, inputs in, snapshots out."""
