"""The names of new tables."""

from ulid import ULID

from bus.decider import Context


def draw_table_id(context: Context, label: str = "table") -> str:
    """A ULID in lower case that carries the command's time; one command draws the same one each time for a label."""
    return str(ULID.from_bytes(context.at.to_bytes(6, "big") + context.draw(label)[:10])).lower()
