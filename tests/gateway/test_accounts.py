"""Accounts over the public API: a whole gateway, and a whole account service beside it."""

import asyncio
import io
import json
import secrets
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from tests.gateway.running import Guest, from_somewhere, gateway, guests, new_guest
from tests.gateway.signed import OTHER_KEY, access_token
from tests.gateway.test_api import problem
from tests.keys import HOUSE_KEY
from websockets.exceptions import ConnectionClosed

HEARD_SECONDS_MAX = 5
Body = dict[str, Any]


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=10, headers=from_somewhere()) as client:
        yield client


@pytest.fixture
async def ann(gateway_url: str) -> AsyncIterator[Guest]:
    async with guests(gateway_url, 1) as (one,):
        yield one


async def ask(guest: Guest, method: str, path: str, status: int = 200, **body: Any) -> Body:
    answer = await guest.http.request(method, f"/v1{path}", json=body or None, headers=guest.headers)
    assert answer.status_code == status, answer.text
    found: Body = answer.json()
    return found


async def renewed(http: httpx.AsyncClient, secret: str) -> httpx.Response:
    return await http.post("/v1/session/renew", json={"secret": secret})


@asynccontextmanager
async def connected(http: httpx.AsyncClient, url: str, account: str, token: str) -> AsyncIterator[Guest]:
    guest = Guest(http, url, account, token)
    await guest.connect()
    yield guest
    await guest.socket.close()


async def closed_with(guest: Guest) -> int:
    """The code of a socket that is closed soon, and with it everything else that its token opened."""
    async with asyncio.timeout(HEARD_SECONDS_MAX):
        with pytest.raises(ConnectionClosed) as closed:
            await guest.hear("nothing more")
    assert closed.value.rcvd is not None
    problem(await guest.http.get("/v1/me", headers=guest.headers), 401, "bad-token")
    return closed.value.rcvd.code


# ---- sessions


async def test_a_guest_gets_a_token_and_the_secret_for_the_next(http: httpx.AsyncClient) -> None:
    made = await new_guest(http, bot=True, language="de")
    assert (made["bot"], made["seconds"]) == (True, 600)
    answer = await renewed(http, made["secret"])
    assert (answer.status_code, answer.json()["account"]) == (200, made["account"])
    assert answer.json()["session"] == made["session"]
    me = await http.get("/v1/me", headers={"Authorization": f"Bearer {answer.json()['token']}"})
    assert (me.json()["account"], me.json()["bot"]) == (made["account"], True)


@pytest.mark.parametrize("secret", ["x" * 43, "-" * 16])
async def test_no_other_secret_gives_a_token(http: httpx.AsyncClient, secret: str) -> None:
    problem(await renewed(http, secret), 401, "bad-secret")


@pytest.mark.parametrize("secret", ["", "short", "x" * 129, "with space and more", "é" * 20])
async def test_what_no_secret_can_be_is_refused_without_quoting_it(http: httpx.AsyncClient, secret: str) -> None:
    body = problem(await renewed(http, secret), 422, "bad-request")
    assert secret == "" or secret not in json.dumps(body, ensure_ascii=False)


async def test_a_session_ends_at_every_gateway_and_others_go_on(
    gateway_url: str, http: httpx.AsyncClient, kafka_bootstrap: str, redis_url: str, account_url: str
) -> None:
    made = await new_guest(http)
    other = await new_guest(http)
    async with (
        gateway(kafka_bootstrap, redis_url, account_url) as elsewhere,
        httpx.AsyncClient(base_url=elsewhere, timeout=10) as other_http,
        connected(http, gateway_url, made["account"], made["token"]) as here,
        connected(other_http, elsewhere, made["account"], made["token"]) as there,
        connected(other_http, elsewhere, other["account"], other["token"]) as neighbour,
    ):
        left = await ask(here, "DELETE", f"/me/sessions/{made['session']}")
        assert left == {"sessions": []}
        assert [await closed_with(socket) for socket in (here, there)] == [4401, 4401]
        problem(await renewed(http, made["secret"]), 401, "bad-secret")
        await neighbour.say(type="ping", id="still-there")
        assert (await neighbour.hear("pong"))["id"] == "still-there"


async def test_sessions_are_listed_with_what_their_clients_call_themselves(ann: Guest) -> None:
    (line,) = (await ask(ann, "GET", "/me/sessions"))["sessions"]
    assert line["here"]
    assert line["label"].startswith("python-httpx")


async def test_who_signs_out_everywhere_else_renews_and_goes_on(http: httpx.AsyncClient, gateway_url: str) -> None:
    made = await new_guest(http)
    async with connected(http, gateway_url, made["account"], made["token"]) as ann:
        (left,) = (await ask(ann, "DELETE", "/me/sessions?others=true"))["sessions"]
        assert (left["session"], left["here"]) == (made["session"], True)
        assert await closed_with(ann) == 4401
    token = (await renewed(http, made["secret"])).json()["token"]
    async with connected(http, gateway_url, made["account"], token) as ann:
        assert (await ask(ann, "DELETE", "/me/sessions"))["sessions"] == []
        assert await closed_with(ann) == 4401
    problem(await renewed(http, made["secret"]), 401, "bad-secret")


async def test_the_session_of_another_account_is_not_ones_own_to_end(ann: Guest, http: httpx.AsyncClient) -> None:
    other = await new_guest(http)
    answer = await ann.http.delete(f"/v1/me/sessions/{other['session']}", headers=ann.headers)
    problem(answer, 404, "unknown-session")
    assert (await renewed(http, other["secret"])).status_code == 200


async def test_no_gateway_takes_a_token_of_another_key(http: httpx.AsyncClient) -> None:
    for token in (access_token(key=OTHER_KEY), access_token(exp=1), "x"):
        problem(await http.get("/v1/me", headers={"Authorization": f"Bearer {token}"}), 401, "bad-token")


# ---- house bots


async def test_a_house_bot_is_always_the_same_account_and_is_labelled(http: httpx.AsyncClient) -> None:
    made = [await new_guest(http, house_key=HOUSE_KEY, house_bot=4021) for _ in range(2)]
    assert {(bot["account"], bot["bot"]) for bot in made} == {("house-eu-4021", True)}
    assert made[0]["secret"] != made[1]["secret"]
    problem(await http.post("/v1/guests", json={"house_key": "a guess", "house_bot": 1}), 403, "wrong-house-key")


# ---- profile, tokens, programs


async def test_a_profile_is_shown_and_changed(ann: Guest) -> None:
    profile = await ask(ann, "GET", "/me/profile")
    assert (profile["account"], profile["kind"], profile["mail"], profile["programs"]) == (
        ann.account,
        "guest",
        None,
        [],
    )
    assert profile["name"].startswith("Guest ")
    assert (await ask(ann, "PATCH", "/me/profile", avatar="6-3", language="pl"))["avatar"] == "6-3"
    changed = await ask(ann, "GET", "/me/profile")
    assert (changed["avatar"], changed["language"]) == ("6-3", "pl")
    answer = await ann.http.patch("/v1/me/profile", json={"avatar": "9-9"}, headers=ann.headers)
    problem(answer, 422, "bad-request")


@pytest.mark.parametrize("name", ["admin", "Capicua", "House 7"])
async def test_nobody_is_called_like_the_house(ann: Guest, name: str) -> None:
    answer = await ann.http.put("/v1/me/name", json={"name": name}, headers=ann.headers)
    assert answer.status_code == 422
    assert answer.json()["code"] in ("reserved-name", "too-like-another")


async def test_a_personal_token_plays_and_is_out_once_it_is_ended(
    ann: Guest, http: httpx.AsyncClient, gateway_url: str
) -> None:
    wanted = {"id": secrets.token_hex(8), "label": "my bot", "scopes": ["play"]}
    made = await ask(ann, "POST", "/me/tokens", 201, **wanted)
    again = await ask(ann, "POST", "/me/tokens", 201, **wanted)
    assert (again["token"], again["secret"]) == (made["token"], None)
    access = (await renewed(http, made["secret"])).json()
    assert access["account"] == ann.account
    async with connected(http, gateway_url, ann.account, access["token"]) as program:
        problem(await http.get("/v1/me/sessions", headers=program.headers), 403, "scope-missing")
        assert [line["label"] for line in (await ask(ann, "GET", "/me/tokens"))["tokens"]] == ["my bot"]
        assert (await ask(ann, "DELETE", f"/me/tokens/{made['token']}"))["tokens"] == []
        assert await closed_with(program) == 4401
    await ann.say(type="ping", id="still-there")
    assert (await ann.hear("pong"))["id"]


async def test_a_declared_program_is_a_bot_with_an_account_of_its_own(ann: Guest, http: httpx.AsyncClient) -> None:
    made = await ask(ann, "POST", "/me/programs", 201, id=secrets.token_hex(8), label="my bot")
    access = (await renewed(http, made["token"]["secret"])).json()
    me = (await http.get("/v1/me", headers={"Authorization": f"Bearer {access['token']}"})).json()
    assert (me["account"], me["bot"], me["region"]) == (made["account"], True, "eu")
    assert (await ask(ann, "GET", "/me/profile"))["programs"] == [made["account"]]


async def test_a_program_gets_a_new_token_and_is_ended_by_its_owner_alone(
    ann: Guest, http: httpx.AsyncClient, gateway_url: str
) -> None:
    made = await ask(ann, "POST", "/me/programs", 201, id=secrets.token_hex(8), label="my bot")
    path, other = f"/me/programs/{made['account']}", await Guest.arrive(http, gateway_url)
    new = await ask(ann, "POST", f"{path}/token", 201, id=secrets.token_hex(8))
    assert (await renewed(http, made["token"]["secret"])).status_code == 401
    access = (await renewed(http, new["secret"])).json()
    problem(await http.delete(f"/v1{path}", headers=other.headers), 404, "unknown-program")
    async with connected(http, gateway_url, made["account"], access["token"]) as program:
        assert (await ask(ann, "DELETE", path))["programs"] == []
        assert await closed_with(program) == 4401
    assert (await renewed(http, new["secret"])).status_code == 401


# ---- reports, export, deletion


async def test_a_report_is_made_once_and_listed(ann: Guest) -> None:
    wanted = {"id": secrets.token_hex(8), "place": "table", "text": "it stands still", "table_id": "t1", "version": 7}
    made = await ask(ann, "POST", "/reports", 201, **wanted)
    assert await ask(ann, "POST", "/reports", 201, **wanted) == made
    await ask(ann, "POST", "/reports", 201, id=secrets.token_hex(8), place="page", text="and another thing")
    first = await ask(ann, "GET", "/reports?limit=1")
    assert [line["text"] for line in first["reports"]] == ["and another thing"]
    second = await ask(ann, "GET", f"/reports?limit=1&cursor={first['next']}")
    assert [line["text"] for line in second["reports"]] == ["it stands still"]
    assert second["next"] is None
    problem(await ann.http.get("/v1/reports?cursor=nonsense", headers=ann.headers), 422, "bad-cursor")


async def test_all_that_is_known_of_somebody_comes_as_an_archive(ann: Guest) -> None:
    await ask(ann, "PUT", "/me/name", name="Ann of the archive")
    answer = await ann.http.get("/v1/me/export", headers=ann.headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        text = b"".join(archive.read(name) for name in archive.namelist())
        assert json.loads(archive.read("matches.json")) == []
        assert b"matches.json" in archive.read("README.txt")
    assert b"Ann of the archive" in text


async def test_a_deleted_account_is_gone_at_once_and_its_name_is_nobodys(ann: Guest, http: httpx.AsyncClient) -> None:
    await ask(ann, "PUT", "/me/name", name="Ann the deleted")
    refused = await ann.http.request("DELETE", "/v1/me", json={"confirm": "gother"}, headers=ann.headers)
    problem(refused, 422, "not-confirmed")
    deleted = await ask(ann, "DELETE", "/me", confirm=ann.account)
    assert deleted["pseudonym"]
    assert await closed_with(ann) == 4401


# ---- mail


async def test_without_a_mail_server_no_link_is_promised(ann: Guest, http: httpx.AsyncClient) -> None:
    for headers in (ann.headers, {}):
        answer = await http.post("/v1/mail", json={"address": "ann@example.org"}, headers=headers)
        problem(answer, 503, "mail-unavailable")


async def test_a_link_that_was_never_sent_leads_nowhere(http: httpx.AsyncClient) -> None:
    problem(await http.post("/v1/mail/use", json={"code": "c" * 43}), 404, "bad-link")
    answer = await http.post("/v1/mail/use", json={"code": "c" * 43}, headers={"Authorization": "Bearer no.such.one"})
    problem(answer, 401, "bad-token")


async def test_whose_session_has_ended_uses_a_link_like_anybody_without_one(
    ann: Guest, http: httpx.AsyncClient
) -> None:
    assert await ask(ann, "DELETE", "/me/sessions") == {"sessions": []}
    assert await closed_with(ann) == 4401
    problem(await http.post("/v1/mail/use", json={"code": "c" * 43}, headers=ann.headers), 404, "bad-link")
    problem(await http.post("/v1/mail", json={"address": "ann@example.org"}, headers=ann.headers), 401, "bad-token")


# ---- without the account service


async def test_without_the_account_service_nobody_comes_in_and_whoever_is_here_goes_on(
    ann: Guest, kafka_bootstrap: str, redis_url: str
) -> None:
    async with (
        gateway(kafka_bootstrap, redis_url, "http://127.0.0.1:1") as url,
        httpx.AsyncClient(base_url=url, timeout=10, headers=from_somewhere()) as http,
        connected(http, url, ann.account, ann.token) as here,
    ):
        for path, body in (("/v1/guests", {}), ("/v1/session/renew", {"secret": "x" * 43})):
            answer = await http.post(path, json=body)
            problem(answer, 503, "accounts-unavailable")
            assert int(answer.headers["Retry-After"]) > 0
        for path in ("/v1/me", "/v1/me/tables", "/v1/rooms/draw/tables", "/v1/me/name"):
            assert (await http.get(path, headers=here.headers)).status_code == 200
        await here.say(type="ping", id="still-there")
        assert (await here.hear("pong"))["id"] == "still-there"
