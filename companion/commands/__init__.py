"""The commands of the core (`companion.cli.COMMANDS`)."""
