import re

import jwt
import pytest
from tests.memory_log import HandClock

from bus.clock import SystemClock
from gateway.identity import BadToken, Identity, Tokens, WrongHouseKey, new_account

KEY = bytes(range(32))


def tokens(house_key: str | None = "the house", key: bytes = KEY, region: str = "eu") -> Tokens:
    return Tokens(key, house_key, region, SystemClock())


def test_account_ids_are_long_and_never_alike() -> None:
    accounts = {new_account() for _ in range(1000)}
    assert len(accounts) == 1000
    assert all(re.fullmatch(r"g[a-z2-7]{26}", account) for account in accounts)


def test_a_token_proves_the_account_it_was_made_for() -> None:
    identity, token = tokens().guest(bot=True)
    assert tokens().read(token) == identity == Identity(identity.account, "eu", bot=True, house=False)


def test_an_account_stays_at_home_in_the_region_that_made_it() -> None:
    west = tokens(region="us")
    for _, token in (west.guest(bot=False), west.house_bot("the house", 3), west.screen()):
        assert tokens(region="eu").read(token).region == "us"


def test_a_house_bot_needs_the_key_of_the_house_and_is_always_labelled() -> None:
    identity, _ = tokens().house_bot("the house", None)
    assert (identity.bot, identity.house) == (True, True)
    for key in ("a guess", "", None, "é", "\ud800"):
        with pytest.raises(WrongHouseKey):
            tokens().house_bot(key, 1)


def test_a_numbered_house_bot_is_always_the_same_account() -> None:
    assert {tokens().house_bot("the house", 3)[0].account for _ in range(3)} == {"house-eu-3"}


def test_two_regions_have_no_house_bot_in_common() -> None:
    assert len({tokens(region=region).house_bot("the house", 3)[0].account for region in ("eu", "us")}) == 2


def test_a_house_without_a_key_has_no_bots() -> None:
    for key in ("", "None", None):
        with pytest.raises(WrongHouseKey):
            tokens(house_key=None).house_bot(key, 1)


def unsigned() -> str:
    return jwt.encode({"sub": "g1", "region": "eu", "exp": 9_999_999_999}, None, "none")


def without_account() -> str:
    return jwt.encode({"region": "eu", "exp": 9_999_999_999}, KEY, "HS256")


def without_region() -> str:
    return jwt.encode({"sub": "g1", "exp": 9_999_999_999}, KEY, "HS256")


def endless() -> str:
    return jwt.encode({"sub": "g1", "region": "eu"}, KEY, "HS256")


def of_another_algorithm() -> str:
    return jwt.encode({"sub": "g1", "region": "eu", "exp": 9_999_999_999}, KEY * 2, "HS512")


def of_another_key() -> str:
    return tokens(key=KEY[::-1]).issue(Identity("g1", "eu"))


@pytest.mark.parametrize(
    "make",
    [
        unsigned,
        without_account,
        without_region,
        endless,
        of_another_algorithm,
        of_another_key,
        lambda: "",
        lambda: "a.b.c",
        lambda: "\ud800",
    ],
)
def test_no_other_token_proves_anything(make: object) -> None:
    assert callable(make)
    with pytest.raises(BadToken, match="did not sign"):
        tokens().read(make())


def test_a_token_is_good_for_thirty_days() -> None:
    long_ago = Tokens(KEY, None, "eu", HandClock(now=1_000_000)).issue(Identity("g1", "eu"))
    with pytest.raises(BadToken, match="expired"):
        tokens().read(long_ago)
