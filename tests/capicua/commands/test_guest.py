"""Whose the commands are: by a personal token, a saved guest, or a new one."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from tests.capicua.scripted_product import Answer, Asked, ScriptedProduct

from capicua import Client, Refused
from capicua.commands.guest import known_client, known_or_nobody, own_client
from capicua.connected import PATIENCE_SECONDS
from capicua.saved_guest import save_token, saved_token
from contracts.account_api import Access
from contracts.api import Guest, Me

SAVED, PERSONAL, ENDED = "the-secret-of-a-session", "the-secret-of-a-personal-token", "the-secret-of-an-ended-session"
ACCOUNTS = {SAVED: "gsaved", PERSONAL: "gpersonal"}


@pytest.fixture(autouse=True)
def house(product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("CAPICUA_TOKEN", raising=False)
    monkeypatch.delenv("CAPICUA_GUEST", raising=False)

    def renew(asked: Asked) -> Answer:
        account = ACCOUNTS.get(asked.body["secret"])
        if account is None:
            return 401, {"code": "bad-secret", "detail": "this session has ended"}
        return Access(account=account, session="s" * 16, token="a.good.token", seconds=600)

    def me(asked: Asked) -> Answer:
        if asked.token != "Bearer a.good.token":
            return 401, {"code": "bad-token", "detail": "no token of ours"}
        return Me(account="gtest", bot=False, tables=(), server_time=0)

    product.answers["POST /v1/session/renew"] = renew
    product.answers["GET /v1/me"] = me
    product.answers["POST /v1/guests"] = Guest(
        account="gnew",
        token="a.good.token",
        bot=False,
        session="n" * 16,
        secret="the-secret-of-a-new-guest",
        seconds=600,
    )


async def test_a_saved_session_goes_on(product: ScriptedProduct) -> None:
    save_token(product.url, SAVED)
    async with known_client(product.url) as client:
        assert (client.account, client.patience_seconds) == ("gsaved", PATIENCE_SECONDS)
    assert [asked.line for asked in product.asked] == ["POST /v1/session/renew", "GET /v1/me"]


async def test_a_closing_slash_of_the_address_makes_no_other_guest(product: ScriptedProduct) -> None:
    save_token(product.url, SAVED)
    async with known_client(f"{product.url}/") as client:
        assert client.account == "gsaved"


async def test_a_newcomer_is_a_new_guest_whose_secret_is_saved(product: ScriptedProduct) -> None:
    async with known_client(product.url) as client:
        assert client.account == "gnew"
    assert saved_token(product.url) == "the-secret-of-a-new-guest"


async def test_who_was_signed_out_becomes_a_new_guest_and_is_told(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    save_token(product.url, ENDED)
    async with known_client(product.url) as client:
        assert client.account == "gnew"
    assert saved_token(product.url) == "the-secret-of-a-new-guest"
    told = capsys.readouterr()
    assert told.err.startswith("capicua: your session has ended, you are a new guest.")
    assert ENDED not in told.err + told.out


async def test_what_was_never_a_session_here_becomes_a_new_guest_silently(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    save_token(product.url, "a token of another house")
    async with known_client(product.url) as client:
        assert client.account == "gnew"
    assert capsys.readouterr().err == ""


async def test_a_personal_token_comes_first_and_is_not_saved(
    product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_token(product.url, SAVED)
    monkeypatch.setenv("CAPICUA_TOKEN", f" {PERSONAL}\n")
    async with known_client(product.url) as client:
        assert client.account == "gpersonal"
    assert saved_token(product.url) == SAVED


@pytest.mark.parametrize("way", [known_client, own_client, known_or_nobody])
async def test_with_a_personal_token_that_is_good_no_more_one_is_nobody_else(
    product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch, way: Callable[[str], AbstractAsyncContextManager[Client]]
) -> None:
    save_token(product.url, SAVED)
    monkeypatch.setenv("CAPICUA_TOKEN", ENDED)
    with pytest.raises(ValueError, match="does not take the token in CAPICUA_TOKEN") as told:
        async with way(product.url):
            pass
    assert ENDED not in str(told.value)
    assert saved_token(product.url) == SAVED


@pytest.mark.parametrize("way", [known_client, own_client, known_or_nobody])
async def test_a_personal_token_that_may_not_all_is_somebodys(
    product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch, way: Callable[[str], AbstractAsyncContextManager[Client]]
) -> None:
    monkeypatch.setenv("CAPICUA_TOKEN", PERSONAL)
    product.answers["GET /v1/me"] = 403, {"code": "scope-missing", "detail": "expected one with the scope play"}
    async with way(product.url) as client:
        assert client.account == "gpersonal"
    product.answers["GET /v1/me"] = 403, {"code": "other-region", "detail": "not here"}
    with pytest.raises(Refused, match="other-region"):
        async with way(product.url):
            pass


async def test_nobody_is_made_for_what_needs_an_account(product: ScriptedProduct) -> None:
    with pytest.raises(ValueError, match=r"you have no account here yet: '.*capicua play' makes one"):
        async with own_client(product.url):
            pass
    save_token(product.url, ENDED)
    with pytest.raises(ValueError, match=r"your session has ended\. '.*capicua recover MAIL' brings an account back"):
        async with own_client(product.url):
            pass
    assert saved_token(product.url) == ENDED
    assert "POST /v1/guests" not in [asked.line for asked in product.asked]


async def test_who_comes_back_by_mail_may_be_nobody(product: ScriptedProduct) -> None:
    for saved, account in ((None, None), (ENDED, None), (SAVED, "gsaved")):
        save_token(product.url, saved)
        async with known_or_nobody(product.url) as client:
            assert client.account == account
            assert (client.token is None) == (account is None)
