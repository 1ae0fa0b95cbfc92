"""The gateway: the only door for people and programs."""
