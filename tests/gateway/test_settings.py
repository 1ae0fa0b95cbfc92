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


@pytest.mark.parametrize("url", [None, "https://dominoes.example", "https://dominoes.example/play"])
def test_links_may_begin_with_an_address_of_the_house_s_own(url: str | None) -> None:
    assert GatewaySettings.model_validate({**GOOD, "public_url": url}).public_url == url


@pytest.mark.parametrize(
    "url", ["dominoes.example", "javascript:alert(1)", "https://", "https://d.example/", "http://d/?q"]
)
def test_what_no_link_can_begin_with_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        GatewaySettings.model_validate({**GOOD, "public_url": url})
