"""What was played, as lists and figures."""
