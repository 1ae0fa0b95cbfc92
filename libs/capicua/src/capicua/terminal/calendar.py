"""Moments as people read them."""

from datetime import datetime


def minute(at_ms: int) -> str:
    """`2027-03-01 18:05`, by the clock on this person's wall."""
    return datetime.fromtimestamp(at_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
