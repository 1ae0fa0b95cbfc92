"""Sessions are renewed, listed and ended; no token outlives its session's end by being signed late."""

import asyncio
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.account.service import Newcomer, Service
from tests.keys import ACCOUNT_KEY

from account.accounts import ENDED_KEPT_MS
from account.ids import hash_of, new_secret, new_session
from account.sessions import SESSIONS_MAX

PUBLIC_KEY = Ed25519PrivateKey.from_private_bytes(ACCOUNT_KEY).public_key()


def claims(token: str) -> dict[str, Any]:
    read: dict[str, Any] = jwt.decode(token, PUBLIC_KEY, ["EdDSA"], issuer="capicua")
    return read


def signed_at(token: str) -> int:
    """In ms."""
    at: float = claims(token)["iat"]
    return round(at * 1000)


async def another_session(service: Service, newcomer: Newcomer) -> Newcomer:
    """Of the same account, as if it had been recovered elsewhere."""
    other = Newcomer(account=newcomer.account, session=new_session(), secret=new_secret())
    query = (
        "INSERT INTO sessions (session, account, secret_hash, made_at, used_at) VALUES (%s, %s, %s, 1, 1) RETURNING 1"
    )
    await service.rows(query, other.session, other.account, hash_of(other.secret))
    return other


async def test_a_secret_is_exchanged_for_a_token_that_says_who_it_is(service: Service) -> None:
    newcomer = await service.guest(region="eu", bot=True)
    answer = (await service.renew(newcomer.secret)).json()
    assert (answer["account"], answer["session"], answer["seconds"]) == (newcomer.account, newcomer.session, 600)
    assert answer["scopes"] is None
    read = claims(answer["token"])
    assert read | {"iat": 0, "exp": 0} == {
        "iss": "capicua", "sub": newcomer.account, "sid": newcomer.session,
        "region": "eu", "bot": True, "house": False, "iat": 0, "exp": 0,
    }  # fmt: skip


async def test_another_secret_is_refused_and_not_repeated(service: Service) -> None:
    secret = new_secret()
    answer = await service.renew(secret)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad-secret")
    assert secret not in answer.text


async def test_many_are_renewed_at_once_in_their_order_and_a_bad_secret_is_none(service: Service) -> None:
    newcomers = [await service.guest() for _ in range(3)]
    secrets = [newcomers[2].secret, new_secret(), newcomers[0].secret, newcomers[1].secret]
    wanted = [{"secret": secret, "label": f"the label {number}"} for number, secret in enumerate(secrets)]
    answer = await service.http.post("/sessions/renew-some", json={"renewals": wanted})
    signed = answer.json()["signed"]
    assert signed[1] is None
    accounts = [newcomers[2].account, newcomers[0].account, newcomers[1].account]
    assert [claims(one["token"])["sub"] for one in signed if one] == accounts
    (line,) = (await service.http.get(f"/accounts/{newcomers[1].account}/sessions")).json()["sessions"]
    assert line["label"] == "the label 3"
    none = await service.http.post("/sessions/renew-some", json={"renewals": []})
    assert (none.status_code, none.json()["code"]) == (422, "bad-request")


async def test_a_session_is_listed_with_its_label_and_the_minute_of_its_last_use(service: Service) -> None:
    newcomer = await service.guest()
    await service.renew(newcomer.secret, label="Firefox on Linux")
    await service.renew(newcomer.secret)
    other = await another_session(service, newcomer)
    listed = await service.http.get(f"/accounts/{newcomer.account}/sessions", params={"here": other.session})
    first, second = listed.json()["sessions"]
    assert (first["session"], first["label"], first["here"]) == (newcomer.session, "Firefox on Linux", False)
    assert first["used_at"] % 60_000 == 0
    assert (second["session"], second["here"]) == (other.session, True)
    assert newcomer.secret not in listed.text
    assert hash_of(newcomer.secret) not in listed.text


async def test_an_ended_session_is_told_of_and_gets_no_token(service: Service) -> None:
    newcomer = await service.guest()
    other = await another_session(service, newcomer)
    token = (await service.renew(newcomer.secret)).json()["token"]
    path = f"/accounts/{newcomer.account}/sessions/{newcomer.session}"
    assert (await service.http.delete(path)).status_code == 204
    assert (await service.renew(newcomer.secret)).status_code == 401
    assert (await service.renew(other.secret)).status_code == 200
    told = (await service.told_of(newcomer.account))[-1]
    assert told is not None
    (ended,) = told.ended
    assert ended.session == newcomer.session
    assert ended.at >= signed_at(token)
    assert (await service.http.delete(path)).json()["code"] == "unknown-session"


async def test_all_sessions_but_one_are_ended_at_once(service: Service) -> None:
    newcomer = await service.guest()
    kept = await another_session(service, newcomer)
    tokens = [(await service.renew(secret)).json()["token"] for secret in (newcomer.secret, kept.secret)]
    await service.http.delete(f"/accounts/{newcomer.account}/sessions", params={"but": kept.session})
    told = (await service.told_of(newcomer.account))[-1]
    assert told is not None
    assert told.all_ended_at is not None
    assert all(signed_at(token) <= told.all_ended_at for token in tokens)
    assert (await service.renew(newcomer.secret)).status_code == 401
    assert signed_at((await service.renew(kept.secret)).json()["token"]) >= told.all_ended_at


async def test_no_token_is_younger_than_the_end_of_all_sessions(service: Service) -> None:
    newcomer = await service.guest()
    renewals = [asyncio.create_task(service.renew(newcomer.secret)) for _ in range(30)]
    await service.http.delete(f"/accounts/{newcomer.account}/sessions")
    renewals += [asyncio.create_task(service.renew(newcomer.secret)) for _ in range(3)]
    answers = await asyncio.gather(*renewals)
    told = (await service.told_of(newcomer.account))[-1]
    assert told is not None
    assert told.all_ended_at is not None
    assert {answer.status_code for answer in answers} <= {200, 401}
    tokens = [answer.json()["token"] for answer in answers if answer.status_code == 200]
    assert all(signed_at(token) <= told.all_ended_at for token in tokens)
    assert [answer.status_code for answer in answers[-3:]] == [401] * 3


async def test_what_ended_too_long_ago_for_any_token_is_forgotten(service: Service) -> None:
    newcomer = await service.guest()
    other = await another_session(service, newcomer)
    await service.http.delete(f"/accounts/{newcomer.account}/sessions/{other.session}")
    query = "UPDATE ended_sessions SET ended_at = ended_at - %s WHERE account = %s RETURNING 1"
    await service.rows(query, ENDED_KEPT_MS + 1, newcomer.account)
    await service.http.patch(f"/accounts/{newcomer.account}", json={"avatar": "3-2"})
    told = (await service.told_of(newcomer.account))[-1]
    assert told is not None
    assert told.ended == ()


async def test_who_comes_too_often_ends_the_session_that_was_used_the_longest_ago(service: Service) -> None:
    secrets = []
    for _ in range(SESSIONS_MAX):
        answer = await service.http.post("/house-bots", json={"region": "eu", "number": 50})
        secrets.append(answer.json()["secret"])
    oldest = "UPDATE sessions SET used_at = 1 WHERE secret_hash = %s RETURNING session"
    ((session,),) = await service.rows(oldest, hash_of(secrets[7]))
    entered = (await service.http.post("/house-bots", json={"region": "eu", "number": 50})).json()
    assert [ended["session"] for ended in entered["state"]["ended"]] == [session]
    assert (await service.renew(secrets[7])).status_code == 401
    assert (await service.renew(secrets[8])).status_code == 200


async def test_an_account_that_is_not_there_has_no_sessions(service: Service) -> None:
    for method, path in (("GET", ""), ("DELETE", ""), ("DELETE", f"/{new_session()}")):
        answer = await service.http.request(method, f"/accounts/gnobody/sessions{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-account")
