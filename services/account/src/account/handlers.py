"""The commands of `account.commands`, carried out: some at once in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from aiokafka import ConsumerRecord
from pydantic import TypeAdapter, ValidationError

from account.accounts import Accounts
from bus.header import TraceParent
from bus.postgres import Connection, Inbox
from bus.postgres.database import now
from bus.telemetry import parse_traceparent
from contracts.account import AccountCommand, CreateGuest
from contracts.envelope import CommandEnvelope
from contracts.names import HOUSE

_COMMAND: TypeAdapter[CreateGuest] = TypeAdapter(AccountCommand)
_MAKE = """
INSERT INTO accounts (account, kind, region, made_at, language, bot)
SELECT account, 'guest', region, %s, language, bot
FROM unnest(%s::text[], %s::text[], %s::text[], %s::boolean[]) AS made (account, region, language, bot)
"""
_BEGIN = """
INSERT INTO sessions (session, account, secret_hash, made_at, used_at, unused)
SELECT session, account, secret_hash, %s, %s, true
FROM unnest(%s::text[], %s::text[], %s::text[]) AS begun (session, account, secret_hash)
"""


class ReservedId(Exception):
    """A guest cannot have an id that is for others. The text says which."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command with its envelope, and the trace that it belongs to."""

    envelope: CommandEnvelope
    command: CreateGuest
    trace: TraceParent | None = None


def read(record: ConsumerRecord) -> Asked | None:
    """The command of a record of `account.commands`; none: it cannot be read, or is not for whom it says."""
    try:
        envelope = CommandEnvelope.model_validate_json(record.value or b"")
        command = _COMMAND.validate_python(envelope.command)
    except ValidationError:
        return None
    if command.account != envelope.aggregate:
        return None
    return Asked(envelope, command, parse_traceparent(record.headers))


class Handlers:
    def __init__(self, accounts: Accounts, inbox: Inbox) -> None:
        self._accounts = accounts
        self._inbox = inbox

    async def create_guests(self, connection: Connection, asked: Sequence[Asked]) -> int:
        """How many guests there are more; commands that were carried out before count for nothing.

        Raises `ReservedId`, and `psycopg.IntegrityError` when an id or a secret is somebody else's already.
        """
        firsts: dict[tuple[str, str], Asked] = {}
        for one in asked:
            firsts.setdefault((one.envelope.principal, one.envelope.id), one)
        taken = await self._inbox.take(connection, [one.envelope for one in firsts.values()])
        fresh = [firsts[envelope.principal, envelope.id] for envelope in taken]
        guests = [one.command for one in fresh]
        if not guests:
            return 0
        for guest in guests:
            if guest.account.startswith(HOUSE):
                raise ReservedId(f"expected an id that does not begin with {HOUSE}")
        at = await now(connection)
        accounts = [guest.account for guest in guests]
        regions, languages = [guest.region for guest in guests], [guest.language for guest in guests]
        bots = [guest.bot for guest in guests]
        await connection.execute(_MAKE, [at, accounts, regions, languages, bots])
        sessions, hashes = [guest.session for guest in guests], [guest.secret_hash for guest in guests]
        await connection.execute(_BEGIN, [at, at - at % 60_000, sessions, accounts, hashes])
        await self._accounts.tell(connection, accounts, {one.command.account: one.trace for one in fresh})
        return len(guests)
