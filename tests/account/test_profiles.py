"""Names, profiles and mutes, as gateways ask for them."""

import asyncio

import psycopg
from tests.account.service import Service, running_service

from account.mutes import MUTES_MAX

WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def test_a_name_is_kept_in_its_clean_form_and_told(service: Service) -> None:
    newcomer = await service.guest()
    answer = await service.http.put(f"/accounts/{newcomer.account}/name", json={"name": "  Zoe\u0308\u200b  B. "})
    assert (answer.json()["name"], answer.json()["version"]) == ("Zoë B.", 2)
    again = await service.http.put(f"/accounts/{newcomer.account}/name", json={"name": "Zoë B."})
    assert again.json()["version"] == 2
    assert [told.name for told in await service.told_of(newcomer.account) if told] == [None, "Zoë B."]


async def test_a_name_that_is_refused_is_neither_kept_nor_repeated(service: Service) -> None:
    newcomer = await service.guest()
    for name, code in (("\u200b", "bad-name"), ("Administrator", "reserved-name"), ("4dmin", "too-like-another")):
        answer = await service.http.put(f"/accounts/{newcomer.account}/name", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (422, code)
        assert name not in answer.text
    assert len(await service.told_of(newcomer.account)) == 1


async def test_two_people_may_have_the_same_name(service: Service) -> None:
    for newcomer in [await service.guest(), await service.guest()]:
        answer = await service.http.put(f"/accounts/{newcomer.account}/name", json={"name": "Ada"})
        assert answer.json()["name"] == "Ada"


async def test_many_are_looked_up_at_once_and_strangers_are_left_out(service: Service) -> None:
    ada, bot = await service.guest(), await service.guest(bot=True)
    await service.http.put(f"/accounts/{ada.account}/name", json={"name": "Ada"})
    answer = await service.http.post("/profiles", json={"accounts": [ada.account, bot.account, "gnobody"]})
    assert answer.json()["profiles"] == {
        ada.account: {"name": "Ada", "avatar": "6-6", "bot": False, "merged": []},
        bot.account: {"name": None, "avatar": "6-6", "bot": True, "merged": []},
    }
    too_many = await service.http.post("/profiles", json={"accounts": ["g"] * 501})
    assert (too_many.status_code, too_many.json()["code"]) == (422, "bad-request")


async def test_what_is_given_is_changed_and_nothing_else(service: Service) -> None:
    newcomer = await service.guest()
    path = f"/accounts/{newcomer.account}"
    assert (await service.http.patch(path, json={"avatar": "3-1"})).json()["avatar"] == "3-1"
    changed = (await service.http.patch(path, json={"language": "pl"})).json()
    assert (changed["avatar"], changed["language"], changed["mail"], changed["kind"]) == ("3-1", "pl", None, "guest")
    assert changed["name"].startswith("Guest ")
    assert (await service.http.get(path)).json() == changed
    await service.http.patch(path, json={"language": "pl"})
    assert len(await service.told_of(newcomer.account)) == 3
    wrong = await service.http.patch(path, json={"avatar": "9-9"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-request")


async def test_two_replicas_tell_of_an_account_in_one_order(service: Service) -> None:
    newcomer = await service.guest()
    path = f"/accounts/{newcomer.account}"
    async with running_service(service.bootstrap, service.dsn) as another:
        doors = (service.http, another.http)
        for tiles in (["1-0", "2-0", "3-0", "4-0"], ["5-0", "6-0", "1-1", "2-1"], ["3-1", "4-1", "5-1", "6-1"]):
            await asyncio.gather(*(door.patch(path, json={"avatar": tile}) for tile in tiles for door in doors))
        versions = [told.version for told in await service.told_of(newcomer.account) if told]
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) > 12


async def test_who_is_muted_is_kept_and_told_to_nobody_else(service: Service) -> None:
    newcomer = await service.guest()
    path = f"/accounts/{newcomer.account}/mutes"
    await service.http.put(f"{path}/gben")
    assert (await service.http.put(f"{path}/gada")).json() == {"accounts": ["gada", "gben"]}
    assert (await service.http.put(f"{path}/gada")).json() == {"accounts": ["gada", "gben"]}
    assert (await service.http.delete(f"{path}/gben")).json() == {"accounts": ["gada"]}
    assert (await service.http.get(path)).json() == {"accounts": ["gada"]}
    assert len(await service.told_of(newcomer.account)) == 1
    assert (await service.http.get("/accounts/gnobody/mutes")).json()["code"] == "unknown-account"


async def test_so_many_may_be_muted_and_no_more(service: Service) -> None:
    newcomer = await service.guest()
    await service.rows(
        "INSERT INTO mutes SELECT %s, 'g' || number FROM generate_series(1, %s) AS number RETURNING 1",
        newcomer.account,
        MUTES_MAX,
    )
    path = f"/accounts/{newcomer.account}/mutes"
    answer = await service.http.put(f"{path}/gada")
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-mutes")
    assert (await service.http.put(f"{path}/g7")).status_code == 200
    assert len((await service.http.get(path)).json()["accounts"]) == MUTES_MAX


async def test_who_keeps_one_account_busy_keeps_nobody_else_out(service: Service) -> None:
    busy, other = await service.guest(), await service.guest()
    path = f"/accounts/{busy.account}"
    async with await psycopg.AsyncConnection.connect(service.dsn, options="-c search_path=account") as holding:
        await holding.execute("SELECT FROM accounts WHERE account = %s FOR UPDATE", [busy.account])
        asked = [asyncio.create_task(service.http.patch(path, json={"avatar": "1-1"})) for _ in range(30)]
        while not await service.rows(WAITING):
            await service.renew(other.secret)
        newcomer = await service.guest()
        assert (await service.renew(other.secret)).status_code == 200
        answers = await asyncio.gather(*asked)
        assert {answer.json()["code"] for answer in answers} == {"accounts-unavailable"}
        assert len(await service.told_of(newcomer.account)) == 1
    assert (await service.http.patch(path, json={"avatar": "1-1"})).status_code == 200
