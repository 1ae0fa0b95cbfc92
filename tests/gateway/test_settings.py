import pytest
from pydantic import ValidationError

from gateway.settings import GatewaySettings

GOOD = {"kafka_bootstrap": "k:1", "redis_url": "redis://r:1", "signing_key": "ab" * 32}


def test_good_settings_are_taken_and_their_secrets_do_not_show() -> None:
    settings = GatewaySettings.model_validate({**GOOD, "house_key": "the house"})
    assert settings.gateway_port == 8080
    assert "ab" * 32 not in repr(settings)
    assert "the house" not in repr(settings)


@pytest.mark.parametrize("key", ["", "ab" * 31, "no hexadecimal digits at all, but long enough by far, I should say"])
def test_a_short_or_strange_signing_key_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(ValidationError) as raised:
        GatewaySettings.model_validate({**GOOD, "signing_key": key})
    (error,) = raised.value.errors(include_input=False)
    assert "expected" in error["msg"]
    assert key == "" or key not in error["msg"]


@pytest.mark.parametrize(
    ("wanted", "base"),
    [
        ({}, "http://127.0.0.1:8123"),
        ({"gateway_host": "::1"}, "http://[::1]:8123"),
        ({"public_url": "https://dominoes.example"}, "https://dominoes.example"),
        ({"public_url": "https://dominoes.example/play"}, "https://dominoes.example/play"),
    ],
)
def test_links_begin_with_the_address_that_people_have(wanted: dict[str, str], base: str) -> None:
    assert GatewaySettings.model_validate({**GOOD, **wanted}).link_base(8123) == base


@pytest.mark.parametrize(
    "url", ["dominoes.example", "javascript:alert(1)", "https://", "https://d.example/", "http://d/?q"]
)
def test_what_no_link_can_begin_with_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        GatewaySettings.model_validate({**GOOD, "public_url": url})
