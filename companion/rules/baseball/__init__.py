"""'Round the Bases, baseball cribbage: docs/reference/games/bases.md."""
