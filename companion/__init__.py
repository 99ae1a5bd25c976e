"""The cribbage board that knows: pegs, cards, rules and lights on one table."""
