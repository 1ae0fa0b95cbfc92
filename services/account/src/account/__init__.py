"""The account service: guests, sessions, names, personal tokens, and what is personal."""
