"""What nobody can come back to is forgotten after a day: guests without an owner, and what house bots leave behind."""

from collections.abc import AsyncIterator

import pytest
from tests.account.service import Newcomer, Service

from account.accounts import Accounts
from account.app import MIGRATIONS, SCHEMA
from account.house import SESSION_KEPT_MS, forget_left_sessions
from account.ids import hash_of
from account.unused import KEPT_MS, UnusedGuests
from bus.postgres import Database, Outbox

LATER_MS = KEPT_MS + 60_000


@pytest.fixture
async def books(service: Service) -> AsyncIterator[Database]:
    database = Database(service.dsn, SCHEMA, (MIGRATIONS,))
    await database.start()
    yield database
    await database.stop()


async def forget(books: Database) -> None:
    async with books.transaction() as connection:
        await UnusedGuests(Accounts(Outbox())).forget(connection)


async def unanswered(service: Service) -> Newcomer:
    """A guest that is there, and of whom no gateway has said so."""
    newcomer = Newcomer()
    await service.send(newcomer.command())
    await service.guest()
    while not await service.rows("SELECT FROM accounts WHERE account = %s", newcomer.account):
        await service.guest()
    return newcomer


async def pass_time(service: Service, ms: int, *newcomers: Newcomer) -> None:
    query = "UPDATE sessions SET made_at = made_at - %s, used_at = used_at - %s WHERE account = ANY(%s) RETURNING 1"
    await service.rows(query, ms, ms, [newcomer.account for newcomer in newcomers])


async def test_a_guest_whose_secret_nobody_has_is_gone_after_a_day_and_told_so(
    service: Service, books: Database
) -> None:
    lost, fresh, used = await unanswered(service), await unanswered(service), await service.guest()
    await pass_time(service, LATER_MS, lost, used)
    await forget(books)
    assert (await service.renew(lost.secret)).status_code == 401
    assert (await service.told_of(lost.account))[-1] is None
    await service.send(lost.command())
    assert (await service.renew(used.secret)).status_code == 200
    assert (await service.renew(fresh.secret)).status_code == 200
    await service.guest()
    assert await service.rows("SELECT FROM accounts WHERE account = %s", lost.account) == []


async def test_whoever_uses_a_guest_at_that_moment_keeps_it(service: Service, books: Database) -> None:
    late = await unanswered(service)
    await pass_time(service, LATER_MS, late)
    async with books.transaction() as using:
        await using.execute("UPDATE sessions SET unused = false WHERE account = %s", [late.account])
        await forget(books)
    assert (await service.renew(late.secret)).status_code == 200
    await forget(books)
    assert (await service.renew(late.secret)).status_code == 200


async def test_what_house_bots_leave_behind_is_gone_after_a_day(service: Service, books: Database) -> None:
    left, kept = [
        (await service.http.post("/house-bots", json={"region": "eu", "number": 60})).json()["secret"] for _ in range(2)
    ]
    query = "UPDATE sessions SET used_at = used_at - %s WHERE secret_hash = %s RETURNING 1"
    await service.rows(query, SESSION_KEPT_MS + 60_000, hash_of(left))
    async with books.transaction() as connection:
        await forget_left_sessions(connection)
    assert (await service.renew(left)).status_code == 401
    assert (await service.renew(kept)).status_code == 200
