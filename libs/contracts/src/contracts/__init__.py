"""Capicua's messages on the wire and its table of topics. Shapes only: nothing here behaves."""
