"""Constants, errors, paths, the snapshot, and small tools that every layer may use."""
