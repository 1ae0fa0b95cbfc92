"""Which commands a ledger has carried out."""

from collections.abc import Sequence

from bus.postgres.database import Connection, every, now
from contracts.envelope import CommandEnvelope
from contracts.topics import COMMANDS_KEPT_MS, DAY_MS

KEPT_MS = COMMANDS_KEPT_MS + DAY_MS
"""Longer than a command can come again out of its topic."""

_TAKE = """
INSERT INTO inbox (principal, id)
SELECT * FROM unnest(%s::text[], %s::text[])
ON CONFLICT DO NOTHING
RETURNING principal, id
"""


class Inbox:
    """By principal and id, in the transaction that carries them out."""

    async def take(self, connection: Connection, commands: Sequence[CommandEnvelope]) -> list[CommandEnvelope]:
        """Those of `commands` that were not carried out before, the first of each; from now on they are."""
        firsts: dict[tuple[str, str], CommandEnvelope] = {}
        for command in commands:
            firsts.setdefault((command.principal, command.id), command)
        principals, ids = [principal for principal, _ in firsts], [number for _, number in firsts]
        taken = {(row["principal"], row["id"]) for row in await every(connection, _TAKE, principals, ids)}
        return [command for key, command in firsts.items() if key in taken]

    async def forget_old(self, connection: Connection) -> None:
        """What is so old that its command is in no topic any more."""
        await connection.execute("DELETE FROM inbox WHERE seen_at < %s", [await now(connection) - KEPT_MS])
