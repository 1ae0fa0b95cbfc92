"""Capicua's decider runtime, the fold rule of its logs, and the plumbing of its services."""
