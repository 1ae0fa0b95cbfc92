import pytest
from pydantic import ValidationError
from tests.keys import HOUSE_KEY, INNER_KEY, public_key

from gateway.settings import GatewaySettings

KEYS = [public_key(bytes(range(first, first + 32))).hex() for first in range(3)]
GOOD = {
    "kafka_bootstrap": "k:1",
    "redis_url": "redis://r:1",
    "signing_key": "ab" * 32,
    "account_public_key": KEYS[0],
    "account_url": "http://account:8090",
    "inner_key": INNER_KEY,
}


def test_good_settings_are_taken_and_their_secrets_do_not_show() -> None:
    settings = GatewaySettings.model_validate({**GOOD, "house_key": HOUSE_KEY})
    assert settings.gateway_port == 8080
    assert "ab" * 32 not in repr(settings)
    assert HOUSE_KEY not in repr(settings)
    assert INNER_KEY not in repr(settings)


@pytest.mark.parametrize("key", ["", "ab" * 31, "no hexadecimal digits at all, but long enough by far, I should say"])
def test_a_short_or_strange_signing_key_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(ValidationError) as raised:
        GatewaySettings.model_validate({**GOOD, "signing_key": key})
    (error,) = raised.value.errors(include_input=False)
    assert "expected" in error["msg"]
    assert key == "" or key not in error["msg"]


@pytest.mark.parametrize("url", [None, "https://dominoes.example", "https://dominoes.example/play"])
def test_links_may_begin_with_an_address_of_the_house_s_own(url: str | None) -> None:
    assert GatewaySettings.model_validate({**GOOD, "public_url": url}).public_url == url


@pytest.mark.parametrize(
    "url", ["dominoes.example", "javascript:alert(1)", "https://", "https://d.example/", "http://d/?q"]
)
def test_what_no_link_can_begin_with_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        GatewaySettings.model_validate({**GOOD, "public_url": url})


def test_there_is_one_key_of_the_account_service_or_two_while_it_is_changed() -> None:
    for count in (1, 2):
        settings = GatewaySettings.model_validate({**GOOD, "account_public_key": ",".join(KEYS[:count])})
        assert [key.hex() for key in settings.account_public_keys] == KEYS[:count]


@pytest.mark.parametrize(
    "keys", ["", "ab", "no hexadecimal digits", ",".join(KEYS), f"{KEYS[0]},", KEYS[0] + "ab", f"{KEYS[0]};{KEYS[1]}"]
)
def test_what_no_key_can_be_is_refused(keys: str) -> None:
    with pytest.raises(ValidationError) as raised:
        GatewaySettings.model_validate({**GOOD, "account_public_key": keys})
    (error,) = raised.value.errors(include_input=False)
    assert "expected" in error["msg"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"inner_key": "short"},
        {"house_key": ""},
        {"house_key": "guessed soon"},
        {"account_url": "account:8090"},
        {"account_url": "http://a/x"},
    ],
)
def test_a_door_that_cannot_be_opened_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        GatewaySettings.model_validate({**GOOD, **wrong})
