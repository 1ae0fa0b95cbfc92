"""Sessions: what a client keeps to come back as the same account, and the access tokens it gets for it.

The clock is the database's. A session's end is told with a time that was read after its row was locked, and a token is
signed with one that was read while its session's row was locked: no token of an ended session is younger than its end.
"""

from collections.abc import Sequence
from typing import Any

from account.accounts import ENDED_KEPT_MS, Accounts
from account.ids import hash_of, new_secret, new_session
from account.refusals import Code, Refused
from account.signing import TOKEN_SECONDS, Signer
from bus.postgres import Connection
from bus.postgres.database import every, now, one
from contracts.account_api import SessionLine, Sessions
from contracts.account_inner import Renew, Signed

MINUTE_MS = 60_000
SESSIONS_MAX = 50
"""Of an account; whoever begins one more ends the one that was used the longest ago."""

_MAKE = """
INSERT INTO sessions (session, account, secret_hash, label, made_at, used_at) VALUES (%s, %s, %s, %s, %s, %s)
"""
_RENEW = """
WITH renewed AS (
    UPDATE sessions SET
        used_at = floor(extract(epoch FROM clock_timestamp()) / 60)::bigint * 60000,
        label = CASE WHEN scopes IS NULL AND given.label <> '' THEN given.label ELSE sessions.label END,
        unused = false
    FROM unnest(%s::text[], %s::text[]) AS given (hash, label), accounts
    WHERE secret_hash = given.hash AND accounts.account = sessions.account AND deleted_at IS NULL
    RETURNING sessions.*, region, kind, bot
), timed AS (
    SELECT *, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at FROM renewed
)
SELECT *, CASE WHEN at - made_at > 60000 THEN set_config('synchronous_commit', 'off', true) END FROM timed
"""
"""A transaction by itself. The clock is read when the row is locked. A use that is lost is noted the next time, but for
the first."""
_TOO_MANY = """
SELECT session FROM sessions WHERE account = %s AND scopes IS NULL ORDER BY used_at DESC, session OFFSET %s
"""
_END = """
WITH ended AS (DELETE FROM sessions WHERE account = %s AND session = ANY(%s) RETURNING session, account)
INSERT INTO ended_sessions (session, account, ended_at)
SELECT session, account, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM ended
RETURNING session
"""
_LIST = """
SELECT session, made_at, used_at, label FROM sessions
WHERE account = %s AND scopes IS NULL
ORDER BY used_at DESC, session
"""


class AccountSessions:
    """Whoever calls `begin`, `end` or `end_all` holds the account's lock, and tells of the account afterwards."""

    def __init__(self, accounts: Accounts, signer: Signer) -> None:
        self._accounts = accounts
        self._signer = signer

    async def begin(self, connection: Connection, account: str, label: str = "") -> tuple[str, Signed]:
        """The secret of a new session, and its first access token."""
        session, secret, at = new_session(), new_secret(), await now(connection)
        used_at = at - at % MINUTE_MS
        await connection.execute(_MAKE, [session, account, hash_of(secret), label, at, used_at])
        surplus = [row["session"] for row in await every(connection, _TOO_MANY, account, SESSIONS_MAX)]
        await self.end(connection, account, surplus)
        row = await self._accounts.look(connection, account)
        return secret, self._signed(row | {"session": session, "scopes": None}, at)

    async def renew(self, connection: Connection, wanted: Renew) -> Signed:
        """An access token of the session, or of the personal token. Raises `Refused`."""
        (signed,) = await self.renew_some(connection, [wanted])
        if signed is None:
            expected = "the secret of a session or of a personal token"
            raise Refused(Code.BAD_SECRET, "secret", expected, "another one, or one that has ended")
        return signed

    async def renew_some(self, connection: Connection, wanted: Sequence[Renew]) -> list[Signed | None]:
        """An access token for each, none for a bad secret. Uses are noted to the minute: how often somebody comes is
        nobody's affair. A personal token keeps the label that its owner gave it."""
        hashes = [hash_of(each.secret) for each in wanted]
        rows = await every(connection, _RENEW, hashes, [each.label for each in wanted])
        signed = {row["secret_hash"]: self._signed(row, row["at"]) for row in rows}
        return [signed.get(each) for each in hashes]

    def _signed(self, row: dict[str, Any], at: int) -> Signed:
        account, session, scopes = row["account"], row["session"], row["scopes"]
        house = row["kind"] == "house"
        token = self._signer.sign(
            account, session, at, region=row["region"], bot=row["bot"], house=house, scopes=scopes
        )
        return Signed(account=account, session=session, token=token, seconds=TOKEN_SECONDS, scopes=scopes)

    async def of(self, connection: Connection, account: str, here: str | None) -> Sessions:
        """The one that was used last comes first."""
        rows = await every(connection, _LIST, account)
        return Sessions(sessions=tuple(SessionLine(**row, here=row["session"] == here) for row in rows))

    async def end(self, connection: Connection, account: str, sessions: list[str]) -> list[str]:
        """Ends these sessions or personal tokens, and says which of them there were."""
        if not sessions:
            return []
        return [row["session"] for row in await every(connection, _END, account, sessions)]

    async def end_session(self, connection: Connection, account: str, session: str) -> bool:
        """Whether there was such a session; a personal token is none."""
        query = "SELECT FROM sessions WHERE account = %s AND session = %s AND scopes IS NULL"
        return await one(connection, query, account, session) is not None and bool(
            await self.end(connection, account, [session])
        )

    async def end_all(self, connection: Connection, account: str, but: str | None = None) -> None:
        """Ends all sessions but the one that is named. Of that one, and of personal tokens, no access token that was
        signed up to now is good either."""
        query = "DELETE FROM sessions WHERE account = %s AND scopes IS NULL AND session IS DISTINCT FROM %s"
        await connection.execute(query, [account, but])
        # whoever is just getting a token has its session's row locked, and is waited for
        await connection.execute("SELECT FROM sessions WHERE account = %s FOR NO KEY UPDATE", [account])
        query = "UPDATE accounts SET all_ended_at = %s WHERE account = %s"
        await connection.execute(query, [await now(connection), account])


async def forget_ended(connection: Connection) -> None:
    """Sessions that ended so long ago that no token of theirs is good any more."""
    await connection.execute("DELETE FROM ended_sessions WHERE ended_at < %s", [await now(connection) - ENDED_KEPT_MS])
