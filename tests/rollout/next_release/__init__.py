"""The table of a release to come: one command more, one event more, and a field more on every event."""
