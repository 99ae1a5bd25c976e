"""The commands, a module each: only what a command needs is imported, so that `score` answers at once."""
