"""The history of games, read from the journal: move lists, game lists, statistics, evenings."""
