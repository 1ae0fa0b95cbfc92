"""Capicua's messages on the wire and its table of topics."""
