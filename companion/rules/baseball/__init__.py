"""'Round the Bases (baseball cribbage). Pure."""
