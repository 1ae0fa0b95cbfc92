"""`capicua tokens` and `capicua programs`."""

import pytest
from tests.capicua.commands.signed_in import HERE, KEPT, NOON, THERE, Said
from tests.capicua.scripted_product import ScriptedProduct

from capicua.commands.tokens import _end_program, _programs, _replace, _tokens
from contracts.account_api import PersonalToken, PersonalTokens, Program

pytestmark = pytest.mark.usefixtures("ada")


async def test_a_token_is_made_and_its_secret_stands_alone_on_standard_output(
    product: ScriptedProduct, said: Said
) -> None:
    made = PersonalToken(token=THERE, label="laptop", scopes=("play", "rooms"), made_at=NOON, secret="s" * 20)
    product.answers["POST /v1/me/tokens"] = made
    await _tokens(product.url, "laptop", ["play", "rooms"], None, as_json=False)
    body = (await product.request("POST /v1/me/tokens")).body
    assert (body["label"], body["scopes"], len(body["id"])) == ("laptop", ["play", "rooms"], 32)
    assert said.out == f"{'s' * 20}\n"


async def test_a_token_whose_secret_was_lost_on_its_way_is_ended_and_another_made(
    product: ScriptedProduct, said: Said
) -> None:
    lost = PersonalToken(token=THERE, label="laptop", scopes=("play",), made_at=NOON)
    answers = [lost, lost.model_copy(update={"token": HERE, "secret": "s" * 20})]
    product.answers["POST /v1/me/tokens"] = lambda _: answers.pop(0)
    await _tokens(product.url, "laptop", ["play"], None, as_json=False)
    await product.request(f"DELETE /v1/me/tokens/{THERE}")
    assert said.out == f"{'s' * 20}\n"
    ids = [asked.body["id"] for asked in product.asked if asked.line == "POST /v1/me/tokens"]
    assert len(set(ids)) == 2
    product.answers["POST /v1/me/tokens"] = lost
    with pytest.raises(ValueError, match="is not said again"):
        await _tokens(product.url, "laptop", ["play"], None, as_json=False)


async def test_tokens_are_listed_and_ended(product: ScriptedProduct, said: Said) -> None:
    tokens = (
        PersonalToken(token=HERE, label="lap\x1btop", scopes=("play",), made_at=NOON),
        PersonalToken(token=THERE, label="x" * 60, scopes=("play", "rooms", "account"), made_at=NOON, used_at=NOON),
    )
    product.answers["GET /v1/me/tokens"] = PersonalTokens(tokens=tokens)
    await _tokens(product.url, None, ["play"], None, as_json=False)
    head, first, second = said.out.splitlines()
    assert head.split() == ["token", "label", "last", "used", "may"]
    assert first.split() == ["aaaaaaaa", "lap", "top", "never", "play"]
    assert second.endswith("play, rooms, account")
    assert max(map(len, (head, first, second))) <= 80
    await _tokens(product.url, None, ["play"], "bb", as_json=False)
    await product.request(f"DELETE /v1/me/tokens/{THERE}")
    product.answers["GET /v1/me/tokens"] = PersonalTokens(tokens=())
    await _tokens(product.url, None, ["play"], None, as_json=False)
    assert said.out.splitlines()[-1].startswith("You have no personal token.")


async def test_a_program_is_declared_and_listed(product: ScriptedProduct, said: Said) -> None:
    token = PersonalToken(token=THERE, label="my bot", scopes=("play",), made_at=NOON, secret="s" * 20)
    product.answers["POST /v1/me/programs"] = Program(account="gbot", token=token)
    await _programs(product.url, "my bot", as_json=False)
    assert (await product.request("POST /v1/me/programs")).body["label"] == "my bot"
    assert said.out == f"{'s' * 20}\n"
    product.answers["GET /v1/me/profile"] = KEPT.model_copy(update={"programs": ("gbot",)})
    await _programs(product.url, None, as_json=False)
    await _programs(product.url, None, as_json=True)
    assert said.out.splitlines() == ["gbot", '{"account": "gbot"}']


async def test_a_program_whose_token_was_lost_on_its_way_gets_another(product: ScriptedProduct, said: Said) -> None:
    token = PersonalToken(token=THERE, label="my bot", scopes=("play",), made_at=NOON)
    product.answers["POST /v1/me/programs"] = Program(account="pbot", token=token)
    answers = [token, token.model_copy(update={"token": HERE, "secret": "s" * 20})]
    product.answers["POST /v1/me/programs/pbot/token"] = lambda _: answers.pop(0)
    await _programs(product.url, "my bot", as_json=False)
    assert said.out == f"{'s' * 20}\n"
    product.answers["POST /v1/me/programs/pbot/token"] = token
    with pytest.raises(ValueError, match="is not said again"):
        await _programs(product.url, "my bot", as_json=False)


async def test_a_program_gets_a_new_token_and_is_ended(product: ScriptedProduct, said: Said) -> None:
    product.answers["GET /v1/me/profile"] = KEPT.model_copy(update={"programs": ("pbot", "pother")})
    token = PersonalToken(token=THERE, label="my bot", scopes=("play",), made_at=NOON, secret="s" * 20)
    product.answers["POST /v1/me/programs/pbot/token"] = token
    await _replace(product.url, "pb", as_json=False)
    assert said.out == f"{'s' * 20}\n"
    with pytest.raises(ValueError, match="expected --yes where nobody can be asked"):
        await _end_program(product.url, "po", yes=False)
    await _end_program(product.url, "po", yes=True)
    await product.request("DELETE /v1/me/programs/pother")
    assert said.out == "Deleted: pother.\n"
    with pytest.raises(ValueError, match="expected a program of the list"):
        await _replace(product.url, "x", as_json=False)
