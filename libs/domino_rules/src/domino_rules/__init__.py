"""The rules of dominoes: pure, typed, standard library only."""
