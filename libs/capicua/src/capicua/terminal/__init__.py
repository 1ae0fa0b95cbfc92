"""How a match looks in a terminal of 80 columns."""
