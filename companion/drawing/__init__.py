"""Files for makers, drawn from a board file: templates, wiring, parts lists; and labels for a deck of cards."""
