import pytest
from pydantic import ValidationError

from account.settings import AccountSettings

COMPLETE = {
    "KAFKA_BOOTSTRAP": "127.0.0.1:9092",
    "POSTGRES_DSN": "postgresql://capicua:the-password@127.0.0.1/capicua",
    "CAPICUA_ACCOUNT_KEY": "00" * 32,
    "CAPICUA_INNER_KEY": "i" * 32,
}


def read(monkeypatch: pytest.MonkeyPatch, **others: str) -> AccountSettings:
    for name, value in (COMPLETE | others).items():
        monkeypatch.setenv(name, value)
    return AccountSettings()


def test_they_are_read_from_the_environment_and_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(monkeypatch, CAPICUA_ACCOUNT_PORT="8085", CAPICUA_SESSION_MS="2000")
    assert (settings.account_port, settings.session_ms, settings.names_file) == (8085, 2000, None)
    shown = f"{settings!r} {settings}"
    assert not any(secret in shown for secret in ("the-password", "00" * 32, "i" * 32))


@pytest.mark.parametrize(
    ("name", "value"),
    [("CAPICUA_ACCOUNT_KEY", "00" * 31), ("CAPICUA_ACCOUNT_KEY", "zz" * 32), ("CAPICUA_INNER_KEY", "short")],
)
def test_a_key_that_is_none_is_refused_without_being_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        read(monkeypatch, **{name: value})
    assert all(value not in error["msg"] for error in refused.value.errors())
