"""The house's own bots: numbered ones, which come back as the same account, and others."""

from account.accounts import Accounts
from account.ids import new_account
from account.sessions import AccountSessions
from bus.postgres import Connection
from bus.postgres.database import now
from contracts.account_inner import Entered, EnterHouse
from contracts.names import HOUSE

SESSION_KEPT_MS = 24 * 60 * 60 * 1000
"""A house bot that is there renews its token every few minutes."""
_MAKE = """
INSERT INTO accounts (account, kind, region, made_at, bot) VALUES (%s, 'house', %s, %s, true) ON CONFLICT DO NOTHING
"""

_FORGET = """
DELETE FROM sessions USING accounts
WHERE accounts.account = sessions.account AND kind = 'house' AND scopes IS NULL AND used_at < %s
"""


class HouseBots:
    def __init__(self, accounts: Accounts, sessions: AccountSessions) -> None:
        self._accounts = accounts
        self._sessions = sessions

    async def enter(self, connection: Connection, wanted: EnterHouse) -> Entered:
        """A new session of the region's house bot of that number, or of a new one."""
        account = new_account("h") if wanted.number is None else f"{HOUSE}{wanted.region}-{wanted.number}"
        await connection.execute(_MAKE, [account, wanted.region, await now(connection)])
        await self._accounts.lock(connection, account)
        secret, signed = await self._sessions.begin(connection, account, "house bot")
        (state,) = await self._accounts.tell(connection, [account])
        return Entered(state=state, secret=secret, signed=signed)


async def forget_left_sessions(connection: Connection) -> None:
    """Those of house bots that are gone: each that starts begins a session of its own. No token of theirs is good."""
    await connection.execute(_FORGET, [await now(connection) - SESSION_KEPT_MS])
