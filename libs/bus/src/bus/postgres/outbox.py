"""What a ledger has to say, kept in the transaction in which it becomes true."""

from collections.abc import Sequence

from opentelemetry import trace

from bus.postgres.database import Connection
from bus.sender import Letter
from bus.telemetry import format_traceparent, trace_parent

_PUT = """
INSERT INTO outbox (topic, key, value, traceparent)
SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[], %s::text[])
"""


class Outbox:
    """Letters, until `bus.postgres.relay.Relay` has sent them.

    Of one key they are sent in the order in which they were put, if who puts them holds a lock that is the key's alone
    (its row in a table) until the commit.
    """

    async def put(self, connection: Connection, letters: Sequence[Letter]) -> None:
        """A letter without a trace of its own gets that of the span in which it is put."""
        if not letters:
            return
        here = trace_parent(trace.get_current_span())
        traces = [letter.trace or here for letter in letters]
        values = (
            [letter.topic for letter in letters],
            [letter.key for letter in letters],
            [letter.value for letter in letters],
            [format_traceparent(parent).decode() if parent else None for parent in traces],
        )
        await connection.execute(_PUT, values)
        connection.has_letters = True
