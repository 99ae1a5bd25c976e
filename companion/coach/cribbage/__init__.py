"""The coach of six-card and five-card cribbage. Pure."""
