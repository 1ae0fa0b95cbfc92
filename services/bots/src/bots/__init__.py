"""House bots: labelled players that use the public API."""
