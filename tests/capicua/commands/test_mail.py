"""`capicua link` and `capicua recover`."""

from collections.abc import Awaitable, Callable

import pytest
import typer
from tests.capicua.commands.signed_in import KEPT, PROFILE, SECRET, Said
from tests.capicua.scripted_product import ScriptedProduct

from capicua import Refused
from capicua.commands.mail import _ask, _link, _recover, code_of
from capicua.commands.options import Language
from capicua.saved_guest import save_token, saved_token
from contracts.account_api import Access, LinkSent, Profile, Recovered

pytestmark = pytest.mark.usefixtures("ada")
CODE = "-the-code-of-a-link"
Sending = Callable[..., Awaitable[int]]


async def test_a_link_is_sent_for_this_account(product: ScriptedProduct, said: Said) -> None:
    product.answers["POST /v1/mail"] = LinkSent(seconds=900)
    await _link(product.url, "ada@example.org", Language.GERMAN, as_json=False)
    asked = await product.request("POST /v1/mail")
    assert (asked.body, asked.token) == ({"address": "ada@example.org", "language": "de"}, "Bearer a.good.token")
    assert said.out.startswith("A mail is on its way. Its link works once, for 15 minutes.\nHere, say its code: ")


@pytest.mark.parametrize(
    ("command", "saved", "profile", "language"),
    [(_link, SECRET, KEPT, "de"), (_ask, SECRET, KEPT, "de"), (_ask, None, KEPT, "en")],
    ids=["a link", "a way back", "nobody's way back"],
)
async def test_a_mail_is_in_the_language_of_the_account_where_no_other_is_asked_for(
    product: ScriptedProduct, command: Sending, saved: str | None, profile: Profile, language: str
) -> None:
    save_token(product.url, saved)
    product.answers |= {"POST /v1/mail": LinkSent(seconds=900), "GET /v1/me/profile": profile}
    await command(product.url, "ada@example.org", None, as_json=True)
    assert (await product.request("POST /v1/mail")).body["language"] == language


@pytest.mark.parametrize(
    ("saved", "profile", "token"),
    [(SECRET, PROFILE, "Bearer a.good.token"), (SECRET, KEPT, ""), (None, PROFILE, "")],
    ids=["a guest", "a kept account", "nobody"],
)
async def test_a_guest_asks_for_a_way_back_as_who_is_to_move_and_others_as_nobody(
    product: ScriptedProduct, said: Said, saved: str | None, profile: Profile, token: str
) -> None:
    save_token(product.url, saved)
    product.answers |= {"POST /v1/mail": LinkSent(seconds=900), "GET /v1/me/profile": profile}
    await _ask(product.url, "ada@example.org", Language.ENGLISH, as_json=False)
    asked = await product.request("POST /v1/mail")
    assert (asked.body, asked.token) == ({"address": "ada@example.org", "language": "en"}, token)
    assert said.out.startswith("If an account has that address, a mail is on its way.")


@pytest.mark.parametrize(("saved", "token"), [(SECRET, "Bearer a.good.token"), (None, "")])
async def test_whoever_comes_back_is_the_kept_account_from_then_on(
    product: ScriptedProduct, said: Said, saved: str | None, token: str
) -> None:
    save_token(product.url, saved)
    access = Access(account="gkept", session="k" * 16, token="kept.good.token", seconds=600)
    moved = None if saved is None else "gada"
    product.answers["POST /v1/mail/use"] = Recovered(
        account="gkept", secret="the-secret-of-the-kept-one", access=access, moved=moved
    )
    product.answers["GET /v1/me/profile"] = KEPT
    await _recover(product.url, CODE, as_json=False)
    asked = await product.request("POST /v1/mail/use")
    assert (asked.body["code"], asked.token) == (CODE, token)
    assert (await product.request("GET /v1/me/profile")).token == "Bearer kept.good.token"
    assert saved_token(product.url) == "the-secret-of-the-kept-one"
    first, *more = said.out.splitlines()
    assert first == "You are Ada, kept by a…@example.org."
    assert more == ["What you have played here as a guest is this account's now."] * (moved is not None)


async def test_a_used_link_changes_nothing(product: ScriptedProduct) -> None:
    product.answers["POST /v1/mail/use"] = (410, {"code": "link-used", "detail": "a link works once"})
    with pytest.raises(Refused, match="link-used") as refused:
        await _recover(product.url, CODE, as_json=False)
    assert CODE not in str(refused.value)
    assert saved_token(product.url) == SECRET


def test_a_code_is_found_in_the_link_of_the_mail() -> None:
    assert code_of(f"http://127.0.0.1:8080/recover#{CODE}") == CODE
    assert code_of(f" {CODE} ") == CODE
    assert code_of("ada@example.org") is None
    for wrong in ("", "short", "http://127.0.0.1:8080/recover", "http://127.0.0.1:8080/recover#"):
        with pytest.raises(typer.BadParameter, match="expected a mail address, or the code or link of the mail"):
            code_of(wrong)


async def test_an_odd_mail_address_is_refused_and_never_quoted(product: ScriptedProduct) -> None:
    product.answers["POST /v1/mail"] = (422, {"code": "bad-address", "detail": "no mail address"})
    with pytest.raises(Refused, match="bad-address"):
        await _link(product.url, "ada@", Language.ENGLISH, as_json=False)
    long = f"ada@{'x' * 300}"
    with pytest.raises(Refused, match="got 304 characters") as refused:
        await _link(product.url, long, Language.ENGLISH, as_json=False)
    assert "xxx" not in str(refused.value)
