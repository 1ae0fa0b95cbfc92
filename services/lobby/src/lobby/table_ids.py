"""The names of new tables."""

from ulid import ULID

from bus.decider import Context


def draw_table_id(context: Context) -> str:
    """A ULID in lower case that carries the command's time; one command draws the same one each time."""
    return str(ULID.from_bytes(context.at.to_bytes(6, "big") + context.draw("table")[:10])).lower()
