"""The commands of the core (`companion.cli.COMMANDS`)."""

OPTION_HELP = "An option of the game, such as target=61; may be repeated."
