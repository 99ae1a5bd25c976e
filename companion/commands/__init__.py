"""The commands, one module each. A command imports only what it needs, so that `score` answers at once."""
