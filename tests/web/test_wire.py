"""The client's types of messages are those of the contracts."""

import pytest
from web import wire


def test_the_client_has_the_types_that_the_contracts_have_now() -> None:
    assert wire.GENERATED.read_text() == wire.generated(), "run make web-types"


def test_types_follow_the_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_is_sent", lambda model: True)
    assert wire.GENERATED.read_text() != wire.generated()
