"""Files for makers, drawn from a board file: templates, wiring, parts lists; and labels for a deck of cards."""

from companion.plugin import Plugin

PLUGIN = Plugin(
    name="drawing",
    commands={
        "boards parts": "companion.plugins.drawing.boards_commands:parts",
        "boards template": "companion.plugins.drawing.boards_commands:template",
        "boards wiring": "companion.plugins.drawing.boards_commands:wiring",
        "deck": "companion.plugins.drawing.boards_commands:deck",
    },
)
