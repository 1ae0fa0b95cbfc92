"""The lobby service: the public queue of each region."""
