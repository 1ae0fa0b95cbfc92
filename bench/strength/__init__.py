"""How strong the bots are: matches on the same deals with seats swapped."""
