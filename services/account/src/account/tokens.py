"""Personal tokens, and the programs that their owners have declared.

A personal token is kept as a session that has scopes: its secret is exchanged for access tokens in the same way.
"""

from typing import Any

from account.accounts import PEOPLE, Accounts
from account.deletion import erase
from account.ids import hash_of, new_account, new_secret, new_session
from account.names import NameRule
from account.refusals import Code, Refused
from account.sessions import AccountSessions
from bus.postgres import Connection
from bus.postgres.database import every, now, one
from contracts.account_api import PERSONAL_TOKENS_MAX, PROGRAMS_MAX, SCOPES, PersonalToken, PersonalTokens, Program
from contracts.account_inner import MakeProgram, MakeToken, ReplaceProgramToken

_FIELDS = "session AS token, label, scopes, made_at, used_at"
_OF = f"SELECT {_FIELDS} FROM sessions WHERE account = %s AND scopes IS NOT NULL"
_OF_ALL = f"""
SELECT account, {_FIELDS} FROM sessions
WHERE account IN (SELECT account FROM accounts WHERE account = %(person)s OR owner = %(person)s) AND scopes IS NOT NULL
ORDER BY made_at, session
"""
_MADE_BY = f"SELECT {_FIELDS} FROM sessions WHERE account = %s AND made_by = %s"
_MAKE = f"""
INSERT INTO sessions (session, account, secret_hash, label, scopes, made_at, made_by)
VALUES (%s, %s, %s, %s, %s, %s, %s)
RETURNING {_FIELDS}
"""
_DECLARE = """
INSERT INTO accounts (account, kind, region, made_at, name, language, bot, owner, made_by)
VALUES (%s, 'program', %s, %s, %s, %s, true, %s, %s)
"""


class Tokens:
    def __init__(self, accounts: Accounts, sessions: AccountSessions, names: NameRule) -> None:
        self._accounts = accounts
        self._sessions = sessions
        self._names = names

    async def of(self, connection: Connection, account: str) -> PersonalTokens:
        """The account's and its programs'. Raises `Refused` when there is no such account."""
        await self._accounts.look(connection, account)
        rows = await every(connection, _OF_ALL, {"person": account})
        return PersonalTokens(tokens=tuple(PersonalToken(**row) for row in rows))

    async def make(self, connection: Connection, account: str, wanted: MakeToken) -> PersonalToken:
        """Repeated with the same `id`, it is the same token without its secret. Raises `Refused`."""
        await self._lock_person(connection, account)
        known = await one(connection, _MADE_BY, account, wanted.id)
        if known is not None:
            return PersonalToken(**known)
        if len(await every(connection, _OF, account)) >= PERSONAL_TOKENS_MAX:
            raise Refused(Code.TOO_MANY_TOKENS, "tokens", f"at most {PERSONAL_TOKENS_MAX}", "one more")
        scopes = [scope for scope in SCOPES if scope in wanted.scopes]
        return await self._make(connection, account, wanted.label, scopes, wanted.id)

    async def end(self, connection: Connection, account: str, token: str) -> None:
        """One of the account's or of its programs'. Raises `Refused` when there is no such token."""
        await self._accounts.lock(connection, account)
        found = await every(connection, _OF_ALL, {"person": account})
        whose = next((row["account"] for row in found if row["token"] == token), None)
        if whose is None:
            raise Refused(Code.UNKNOWN_TOKEN, "token", "a token of this account or of its programs", "another id")
        await self._accounts.lock(connection, whose)
        await self._sessions.end(connection, whose, [token])
        await self._accounts.tell(connection, [whose])

    async def declare(self, connection: Connection, owner: str, wanted: MakeProgram) -> Program:
        """A program with its first token, called by what its owner calls it; repeated with the same `id`, the same
        program, and its token without the secret. Raises `Refused`."""
        person = await self._lock_person(connection, owner)
        known = await one(
            connection, "SELECT account FROM accounts WHERE owner = %s AND made_by = %s", owner, wanted.id
        )
        if known is not None:
            return await self._program(connection, known["account"], wanted)
        row = await one(connection, "SELECT count(*) AS made FROM accounts WHERE owner = %s", owner)
        if row is not None and row["made"] >= PROGRAMS_MAX:
            raise Refused(Code.TOO_MANY_PROGRAMS, "programs", f"at most {PROGRAMS_MAX}", "one more")
        account, name = new_account("p"), self._names.check(wanted.label, program=True)
        values = [account, wanted.region, await now(connection), name, person["language"], owner, wanted.id]
        await connection.execute(_DECLARE, values)
        token = await self._make(connection, account, wanted.label, list(SCOPES), wanted.id)
        await self._accounts.tell(connection, [account])
        return Program(account=account, token=token)

    async def replace(
        self, connection: Connection, owner: str, program: str, wanted: ReplaceProgramToken
    ) -> PersonalToken:
        """A new token of a program, and those that it had are ended; repeated with the same `id`, the same token
        without its secret. Raises `Refused`."""
        row = await self._lock_program(connection, owner, program)
        known = await one(connection, _MADE_BY, program, wanted.id)
        if known is not None:
            return PersonalToken(**known)
        before = [token["token"] for token in await every(connection, _OF, program)]
        await self._sessions.end(connection, program, before)
        token = await self._make(connection, program, row["name"], list(SCOPES), wanted.id)
        await self._accounts.tell(connection, [program])
        return token

    async def end_program(self, connection: Connection, owner: str, program: str) -> None:
        """The program's account is deleted. Raises `Refused` when there is no such program."""
        await self._lock_program(connection, owner, program)
        await erase(connection, self._accounts, [program])

    async def _lock_program(self, connection: Connection, owner: str, program: str) -> dict[str, Any]:
        await self._accounts.lock(connection, owner)
        query = "SELECT * FROM accounts WHERE account = %s AND owner = %s FOR UPDATE"
        row = await one(connection, query, program, owner)
        if row is None:
            raise Refused(Code.UNKNOWN_PROGRAM, "program", "a program of this account", "another id")
        return row

    async def _program(self, connection: Connection, account: str, wanted: MakeProgram) -> Program:
        token = await one(connection, _MADE_BY, account, wanted.id)
        if token is None:
            raise Refused(Code.UNKNOWN_TOKEN, "id", "the id of a program that still has its token", "another one")
        return Program(account=account, token=PersonalToken(**token))

    async def _lock_person(self, connection: Connection, account: str) -> dict[str, Any]:
        row = await self._accounts.lock(connection, account)
        if row["kind"] not in PEOPLE:
            raise Refused(Code.NO_PERSON, "account", "a person's", f"a {row['kind']}'s")
        return row

    async def _make(
        self, connection: Connection, account: str, label: str, scopes: list[Any], made_by: str
    ) -> PersonalToken:
        secret = new_secret()
        values = [new_session(), account, hash_of(secret), label, scopes, await now(connection), made_by]
        row = await one(connection, _MAKE, *values)
        assert row is not None
        return PersonalToken(**row, secret=secret)
