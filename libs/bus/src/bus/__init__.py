"""Capicua's decider runtime and its plumbing to Kafka."""
