import base64
import json
import re
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.gateway.signed import ACCOUNT_KEY, OTHER_KEY, SCREEN_KEY, SESSION, access_token, claims, public, tokens
from tests.memory_log import HandClock

from bus.clock import BrokerTime, SystemClock
from contracts.account import AccountState, EndedSession
from gateway.ended import Ended
from gateway.identity import ACCOUNTS, SCREENS, BadToken, ScreenTokens, SessionEnded, new_account

# ---- accounts


def test_account_ids_are_long_and_never_alike() -> None:
    accounts = {new_account() for _ in range(1000)}
    assert len(accounts) == 1000
    assert all(re.fullmatch(r"g[a-z2-7]{26}", account) for account in accounts)


def test_a_token_proves_the_account_and_the_session_that_it_was_signed_for() -> None:
    now = time.time()
    found = tokens().read(access_token("g7", region="us", bot=True, house=True, iat=now))
    assert (found.account, found.region, found.bot, found.house, found.screen) == ("g7", "us", True, True, False)
    assert (found.session, found.scopes, found.signed_at) == (SESSION, None, int(now * 1000))


def test_a_personal_token_has_its_scopes_and_no_others() -> None:
    assert tokens().read(access_token(scopes=["play"])).scopes == frozenset({"play"})
    assert tokens().read(access_token(scopes=[])).scopes == frozenset()


def test_while_the_key_is_changed_tokens_of_both_are_good_and_afterwards_only_those_of_the_new_one() -> None:
    both = [access_token(key=ACCOUNT_KEY), access_token(key=OTHER_KEY)]
    assert [tokens(OTHER_KEY, ACCOUNT_KEY).read(token).account for token in both] == ["g1", "g1"]
    assert tokens(OTHER_KEY).read(both[1]).account == "g1"
    with pytest.raises(BadToken, match="did not sign"):
        tokens(OTHER_KEY).read(both[0])


# ---- tokens that prove nothing


def unsigned() -> str:
    return jwt.encode(claims(), "", "none")


def unsigned_in_other_letters() -> str:
    _, body, _ = access_token().split(".")
    named = base64.urlsafe_b64encode(json.dumps({"alg": "None", "typ": "JWT"}).encode()).decode().rstrip("=")
    return f"{named}.{body}."


def without_its_signature() -> str:
    return access_token().rpartition(".")[0] + "."


def of_another_account() -> str:
    """With the signature of one's own."""
    head, _, signature = access_token("g1").split(".")
    return ".".join((head, access_token("g2").split(".")[1], signature))


def signed_with(secret: bytes) -> Callable[[], str]:
    """By the algorithm of screens, with what everybody may know."""

    def forge() -> str:
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=")
        body = base64.urlsafe_b64encode(json.dumps(claims()).encode()).rstrip(b"=")
        signature = jwt.get_algorithm_by_name("HS256").sign(head + b"." + body, secret)
        return b".".join((head, body, base64.urlsafe_b64encode(signature).rstrip(b"="))).decode()

    return forge


def as_pem() -> bytes:
    return ACCOUNT_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def by_screens_key(**others: Any) -> Callable[[], str]:
    return lambda: jwt.encode(claims(**others), SCREEN_KEY, SCREENS)


FORGED: dict[str, Callable[[], str]] = {
    "empty": lambda: "",
    "no token": lambda: "a.b.c",
    "not text": lambda: "\ud800",
    "unsigned": unsigned,
    "unsigned, spelt otherwise": unsigned_in_other_letters,
    "without its signature": without_its_signature,
    "of another account": of_another_account,
    "of another key": lambda: access_token(key=OTHER_KEY),
    "signed with the public key": signed_with(public()),
    "signed with the public key as a file": signed_with(as_pem()),
    "signed with nothing": signed_with(b""),
    "an account by the screens' key": by_screens_key(),
    "another role by the screens' key": by_screens_key(role="operator"),
    "of another algorithm of the screens' key": lambda: jwt.encode(claims(role="screen"), SCREEN_KEY * 2, "HS512"),
    "of another issuer": lambda: access_token(iss="somebody"),
    "of no issuer": lambda: access_token(iss=None),
    "without an account": lambda: access_token(sub=None),
    "without a session": lambda: access_token(sid=None),
    "of a strange session": lambda: access_token(sid="No Session"),
    "without a region": lambda: access_token(region=None),
    "endless": lambda: access_token(exp=None),
    "signed at no time": lambda: access_token(iat=None),
    "of tomorrow": lambda: access_token(iat=time.time() + 86_400, exp=time.time() + 86_900),
    "a number for an account": lambda: access_token(sub=7),
    "words for scopes": lambda: access_token(scopes="play rooms account"),
    "words for a bot": lambda: access_token(bot="perhaps"),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED.keys())
def test_no_other_token_proves_anything(forge: Callable[[], str]) -> None:
    with pytest.raises(BadToken, match="did not sign") as raised:
        tokens().read(forge())
    assert "eyJ" not in str(raised.value)


def test_a_token_is_good_until_it_has_run_out() -> None:
    now = int(time.time())
    assert tokens().read(access_token(iat=now - 590, exp=now + 10)).account == "g1"
    with pytest.raises(BadToken, match="expired"):
        tokens().read(access_token(iat=now - 610, exp=now - 10))


def test_no_token_is_good_for_more_than_ten_minutes() -> None:
    with pytest.raises(BadToken, match="too long"):
        tokens().read(access_token(exp=int(time.time()) + 700))


def test_a_token_of_a_session_that_has_ended_proves_nothing_however_well_it_is_signed() -> None:
    clock = SystemClock()
    ended = Ended(BrokerTime(clock))
    reads, token = tokens(ended=ended), access_token("g1")
    identity = reads.read(token)
    assert reads.still_good(identity)
    over = EndedSession(session=SESSION, at=clock.wall())
    state = AccountState(account="g1", version=2, kind="guest", region="eu", made_at=1, ended=(over,))
    ended.take(state, clock.wall())
    assert not reads.still_good(identity)
    with pytest.raises(SessionEnded, match="session that has ended") as bad:
        reads.read(token)
    assert bad.value.was == identity


# ---- screens


def test_a_screen_is_a_screen_and_no_account_of_the_same_name() -> None:
    identity, token = ScreenTokens(SCREEN_KEY, "us", SystemClock()).screen()
    found = tokens().read(token)
    assert found == identity
    assert (found.screen, found.region, found.session, found.account[0]) == (True, "us", None, "s")
    assert tokens().still_good(found)


def test_the_account_services_key_makes_no_screens() -> None:
    found = tokens().read(access_token("s1", role="screen"))
    assert (found.account, found.screen) == ("s1", False)


def test_a_screens_token_is_good_for_thirty_days() -> None:
    _, long_ago = ScreenTokens(SCREEN_KEY, "eu", HandClock(now=1_000_000)).screen()
    with pytest.raises(BadToken, match="expired"):
        tokens().read(long_ago)


def test_each_algorithm_belongs_to_its_own_keys() -> None:
    assert {ACCOUNTS, SCREENS} == {"EdDSA", "HS256"}
    assert jwt.get_unverified_header(access_token())["alg"] == ACCOUNTS
