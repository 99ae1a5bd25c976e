"""What a maker builds a board from, drawn from the board file; and labels for a deck of cards."""
