"""A deleted account: what is personal is gone at once, everywhere, and history tells nobody who it was."""

import asyncio

import psycopg
from tests.account.letterbox import Letterbox
from tests.account.mailing import ask, code_of, entered_by, kept_account, link_for, new_address, use
from tests.account.service import Newcomer, Service
from tests.account.test_ledger import send_bytes

from account.accounts import Accounts
from account.app import MIGRATIONS, SCHEMA
from account.deletion import AGAIN_MS, tell_again
from bus.postgres import Database, Outbox
from contracts.names import fallback_name

TABLES = (
    "accounts",
    "sessions",
    "ended_sessions",
    "mutes",
    "mail_addresses",
    "links",
    "link_codes",
    "mails",
    "reports",
)
WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def report(service: Service, account: str, text: str, **others: str) -> str:
    body = {"id": text[:4], "place": "person", "text": text, **others}
    answer = await service.http.post(f"/accounts/{account}/reports", json=body)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["report"]
    return number


async def tables(service: Service) -> dict[str, str]:
    """Everything that the service keeps, as text."""
    return {table: str(await service.rows(f"SELECT * FROM {table}")) for table in TABLES}


async def test_a_deleted_account_is_gone_with_all_that_was_its_persons(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    await service.http.put(f"/accounts/{kept.account}/name", json={"name": "Ada Lovelace"})
    program = await service.http.post(
        f"/accounts/{kept.account}/programs", json={"id": "1", "label": "Countess", "region": "eu"}
    )
    token = await service.http.post(
        f"/accounts/{kept.account}/tokens", json={"id": "1", "label": "my laptop", "scopes": ["play"]}
    )
    await entered_by(service, await link_for(service, letterbox, address, guest.account))
    other = await service.guest()
    await service.http.put(f"/accounts/{other.account}/mutes/{kept.account}")
    await service.http.put(f"/accounts/{kept.account}/mutes/{other.account}")
    await ask(service, address)
    code = await letterbox.code_to(address, 3)
    mine = await report(service, kept.account, "Somebody was rude.", person=other.account)
    about = await report(service, other.account, "That was me, sorry.", person=kept.account)

    deleted = await service.http.delete(f"/accounts/{kept.account}")
    assert deleted.json() == {"pseudonym": fallback_name(kept.account)}

    for secret in (kept.secret, guest.secret, token.json()["secret"], program.json()["token"]["secret"]):
        assert code_of(await service.renew(secret)) == (401, "bad-secret")
    assert code_of(await use(service, code)) == (404, "bad-link")
    for gone in (kept.account, guest.account, program.json()["account"]):
        assert (await service.told_of(gone))[-1] is None
        assert code_of(await service.http.get(f"/accounts/{gone}")) == (404, "unknown-account")
        assert code_of(await service.http.get(f"/accounts/{gone}/export")) == (404, "unknown-account")
    kept_still = await tables(service)
    for personal in ("Ada Lovelace", address, "Countess", "my laptop"):
        assert [table for table, text in kept_still.items() if personal in text] == []
    rows = await service.rows("SELECT report, account, person, text FROM reports WHERE report IN (%s, %s)", mine, about)
    assert sorted(rows, key=lambda row: row[3]) == [
        (mine, None, other.account, "Somebody was rude."),
        (about, other.account, None, "That was me, sorry."),
    ]
    rows = await service.rows("SELECT * FROM accounts WHERE account = %s", kept.account)
    assert "Lovelace" not in str(rows)


async def test_deleted_twice_the_answer_is_the_same(service: Service) -> None:
    guest = await service.guest()
    answers = [await service.http.delete(f"/accounts/{guest.account}") for _ in range(2)]
    assert [answer.json() for answer in answers] == [{"pseudonym": fallback_name(guest.account)}] * 2
    assert [state is None for state in await service.told_of(guest.account)] == [False, True]


async def test_deleted_by_many_at_once_it_is_told_once(service: Service) -> None:
    guest = await service.guest()
    answers = await asyncio.gather(*(service.http.delete(f"/accounts/{guest.account}") for _ in range(6)))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert [state is None for state in await service.told_of(guest.account)] == [False, True]


async def test_an_old_state_that_comes_after_the_tombstone_does_not_stay(service: Service) -> None:
    guest = await service.guest()
    (state,) = await service.told_of(guest.account)
    assert state is not None
    await service.http.delete(f"/accounts/{guest.account}")
    await service.until_told()
    await send_bytes(service, guest.account, state.model_dump_json().encode(), topic="account.events")
    assert (await service.told_of(guest.account))[-1] is not None
    database, accounts = Database(service.dsn, SCHEMA, (MIGRATIONS,)), Accounts(Outbox())
    await database.start()
    query = "UPDATE accounts SET deleted_at = deleted_at - %s WHERE account = %s RETURNING 1"
    await service.rows(query, AGAIN_MS[0], guest.account)
    async with database.transaction() as connection:
        await tell_again(accounts, connection)
    await database.stop()
    assert (await service.told_of(guest.account))[-1] is None


async def test_a_command_that_comes_again_does_not_make_the_account_anew(service: Service) -> None:
    guest = await service.guest()
    await service.http.delete(f"/accounts/{guest.account}")
    await service.send(guest.command("again"), guest.command())
    await service.guest()
    assert (await service.told_of(guest.account))[-1] is None
    assert (await service.renew(guest.secret)).status_code == 401


async def test_whoever_asks_while_the_account_is_being_deleted_leaves_nothing_behind(service: Service) -> None:
    guest, address = await service.guest(), new_address()
    async with await psycopg.AsyncConnection.connect(service.dsn, options="-c search_path=account") as deleting:
        await deleting.execute("SELECT FROM accounts WHERE account = %s FOR UPDATE", [guest.account])
        await deleting.execute("UPDATE accounts SET deleted_at = 1 WHERE account = %s", [guest.account])
        body = {"id": "1", "place": "page", "text": "It is red."}
        asked = [
            asyncio.create_task(service.http.post(f"/accounts/{guest.account}/reports", json=body)),
            asyncio.create_task(ask(service, address, guest.account)),
        ]
        async with asyncio.timeout(20):
            while len(await service.rows(WAITING)) < len(asked):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.02)
    assert [code_of(answer) for answer in await asyncio.gather(*asked)] == [(404, "unknown-account")] * 2
    assert await service.rows("SELECT FROM reports WHERE account = %s", guest.account) == []
    assert await service.rows("SELECT FROM links WHERE account = %s", guest.account) == []


async def test_an_address_is_free_again(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept = await kept_account(service, letterbox, address)
    await service.http.delete(f"/accounts/{kept.account}")
    again = await kept_account(service, letterbox, address)
    assert again.account != kept.account


async def test_deletion_and_the_use_of_a_link_at_once_leave_one_of_both_undone(
    service: Service, letterbox: Letterbox
) -> None:
    for _ in range(3):
        address = new_address()
        kept, guest = await kept_account(service, letterbox, address), await service.guest()
        code = await link_for(service, letterbox, address, guest.account)
        deleted, used = await asyncio.gather(service.http.delete(f"/accounts/{kept.account}"), use(service, code))
        assert (deleted.status_code, used.status_code in (200, 404)) == (200, True), (deleted.text, used.text)
        assert (await service.told_of(kept.account))[-1] is None
        if used.status_code == 200:
            assert (await service.renew(used.json()["secret"])).status_code == 401
            assert (await service.told_of(guest.account))[-1] is None
        else:
            assert (await service.renew(guest.secret)).status_code == 200


async def test_only_a_persons_own_account_is_deleted(service: Service, letterbox: Letterbox) -> None:
    house = (await service.http.post("/house-bots", json={"region": "eu", "number": 7})).json()["state"]["account"]
    assert code_of(await service.http.delete(f"/accounts/{house}")) == (403, "not-for-programs")
    assert code_of(await service.http.delete(f"/accounts/{Newcomer().account}")) == (404, "unknown-account")
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    await entered_by(service, await link_for(service, letterbox, address, guest.account))
    assert code_of(await service.http.delete(f"/accounts/{guest.account}")) == (404, "unknown-account")
    assert (await service.told_of(kept.account))[-1] is not None
