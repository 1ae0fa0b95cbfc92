"""`capicua name`, `mute` and `unmute` against a scripted product."""

import json
from pathlib import Path

import pytest
import typer
from tests.capicua.room_messages import entry
from tests.capicua.scripted_product import ScriptedProduct
from typer.testing import CliRunner

from capicua.commands import add_commands
from capicua.commands.mute import _mute, _unmute
from capicua.commands.name import _name
from capicua.saved_guest import save_token
from capicua.terminal.choice import NotUnderstood
from contracts.api import Guest, Me
from contracts.queue_api import MyTables
from contracts.room_api import Mutes, NameChosen

BEN = {"gben": "Ben"}


@pytest.fixture(autouse=True)
def met(product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Is known, plays with Ada, has played with Ben, has muted nobody."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    save_token(product.url, "an.access.token")
    product.answers["POST /v1/guests"] = Guest(account="gtest", token="t", bot=False)
    product.answers["GET /v1/me"] = Me(account="gtest", bot=False, tables=(), server_time=0)
    running = (entry("a", "Ada", "Test", state="running"),)
    product.answers["GET /v1/me/tables"] = MyTables(running=running, finished=(), names={**BEN, "gtest": "Test"})
    product.answers["GET /v1/me/mutes"] = Mutes(accounts=())


async def test_a_name_is_told_and_chosen(product: ScriptedProduct, capsys: pytest.CaptureFixture[str]) -> None:
    product.answers["GET /v1/me/name"] = NameChosen(name="Guest AB12")
    product.answers["PUT /v1/me/name"] = NameChosen(name="Ada L.")
    await _name(product.url, None, as_json=False)
    await _name(product.url, "Ada  L.", as_json=False)
    await _name(product.url, "Ada  L.", as_json=True)
    told = ["You are called: Guest AB12", "You are called: Ada L."]
    assert capsys.readouterr().out.splitlines() == [*told, '{"name": "Ada L."}']
    assert (await product.request("PUT /v1/me/name")).body == {"name": "Ada  L."}


async def test_only_who_chooses_a_name_gets_an_account_by_it(product: ScriptedProduct) -> None:
    save_token(product.url, None)
    for asking in (
        _name(product.url, None, False),
        _mute(product.url, None, False),
        _unmute(product.url, "Ben", False),
    ):
        with pytest.raises(ValueError, match="you have no account here yet"):
            await asking
    assert product.asked == []
    product.answers["PUT /v1/me/name"] = NameChosen(name="Ada")
    await _name(product.url, "Ada", as_json=False)
    await product.request("POST /v1/guests")


@pytest.mark.parametrize("empty", ["", "  "])
async def test_an_empty_name_is_none(product: ScriptedProduct, empty: str) -> None:
    app = typer.Typer()
    add_commands(app)
    result = CliRunner().invoke(app, ["name", empty, "--url", product.url])
    assert (result.exit_code, product.asked) == (2, [])
    assert "expected a name of 1 to 24 characters, got none" in result.output


@pytest.mark.parametrize(("who", "account"), [("ada", "gada"), ("be", "gben"), ("gben", "gben")])
async def test_somebody_is_muted_with_whom_one_plays_or_has_played(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str], who: str, account: str
) -> None:
    await _mute(product.url, who, as_json=False)
    await product.request(f"PUT /v1/me/mutes/{account}")
    assert capsys.readouterr().out == f"You do not hear {account[1:].title()} any more.\n"


async def test_nobody_else_is_muted_and_never_oneself(product: ScriptedProduct) -> None:
    for who in ("Test", "Zoe"):
        with pytest.raises(NotUnderstood, match="expected one of Ben, Ada"):
            await _mute(product.url, who, as_json=False)


async def test_whom_one_has_muted_is_listed_and_heard_again(
    product: ScriptedProduct, capsys: pytest.CaptureFixture[str]
) -> None:
    await _mute(product.url, None, as_json=False)
    assert capsys.readouterr().out.startswith("You hear everybody.")
    product.answers["GET /v1/me/mutes"] = Mutes(accounts=("gben",), names=BEN)
    await _mute(product.url, None, as_json=False)
    await _mute(product.url, None, as_json=True)
    await _unmute(product.url, "Ben", as_json=False)
    await product.request("DELETE /v1/me/mutes/gben")
    listed, as_json, said = capsys.readouterr().out.splitlines()
    assert (listed, json.loads(as_json), said) == ("Ben", {"account": "gben", "name": "Ben"}, "You hear Ben again.")
