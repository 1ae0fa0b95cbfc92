"""`capicua account`, `sessions`, `export` and `delete`, and what cannot be meant by any of the account's commands."""

import json
from pathlib import Path

import pytest
import typer
from tests.capicua.commands.signed_in import HERE, KEPT, PROFILE, SECRET, THERE, Said
from tests.capicua.scripted_product import ScriptedProduct
from typer.testing import CliRunner

from capicua.commands import add_commands
from capicua.commands.account import _account
from capicua.commands.delete import _delete
from capicua.commands.export import _export
from capicua.commands.sessions import _end_all, _end_others, _sessions
from capicua.saved_guest import saved_token
from contracts.account_api import Deleted

pytestmark = pytest.mark.usefixtures("ada")


# ---- profile


async def test_one_is_told_who_one_is(product: ScriptedProduct, said: Said) -> None:
    await _account(product.url, None, None, as_json=False)
    lines = said.out.splitlines()
    assert lines[:2] == ["name      Ada [2J", "account   gada"]
    assert lines[2].startswith("kind      a guest; nothing leads back into this account until you say '")
    assert lines[3:] == ["mail      none", "avatar    6-6", "language  en", "programs  none"]
    await _account(product.url, None, None, as_json=True)
    assert json.loads(said.out) == PROFILE.model_dump(mode="json")


async def test_avatar_and_language_are_chosen(product: ScriptedProduct, said: Said) -> None:
    product.answers["PATCH /v1/me/profile"] = KEPT
    await _account(product.url, "6-3", "de", as_json=False)
    assert (await product.request("PATCH /v1/me/profile")).body == {"avatar": "6-3", "language": "de"}
    assert "mail      a…@example.org" in said.out
    await _account(product.url, "6-3", None, as_json=False)
    assert (await product.request("PATCH /v1/me/profile")).body == {"avatar": "6-3"}


# ---- sessions


async def test_sessions_are_listed_over_all_pages(product: ScriptedProduct, said: Said) -> None:
    await _sessions(product.url, None, as_json=False)
    head, here, there = said.out.splitlines()
    assert head.split() == ["session", "last", "used", "since", "client"]
    assert here.startswith("aaaaaaaa  2027-01-1")
    assert here.endswith("capicua [2J (here)")
    assert there.startswith("bbbbbbbb")
    assert there.endswith("a browser")
    await _sessions(product.url, None, as_json=True)
    assert [json.loads(line)["session"] for line in said.out.splitlines()] == [HERE, THERE]


async def test_a_session_is_ended_by_its_beginning(product: ScriptedProduct, said: Said) -> None:
    await _sessions(product.url, "bbbb", as_json=False)
    await product.request(f"DELETE /v1/me/sessions/{THERE}")
    assert said.out == "Signed out: a browser.\n"
    assert saved_token(product.url) == SECRET
    await _sessions(product.url, "a", as_json=False)
    await product.request(f"DELETE /v1/me/sessions/{HERE}")
    assert saved_token(product.url) is None


@pytest.mark.parametrize("wrong", ["", "c", "a" * 17])
async def test_a_session_that_there_is_not_is_not_ended(product: ScriptedProduct, wrong: str) -> None:
    with pytest.raises(ValueError, match="expected a session of the list"):
        await _sessions(product.url, wrong, as_json=False)


async def test_signing_out_everywhere_else_keeps_this_session(product: ScriptedProduct, said: Said) -> None:
    await _end_others(product.url)
    await product.request("DELETE /v1/me/sessions?others=true")
    assert (said.out, saved_token(product.url)) == ("Signed out everywhere but here.\n", SECRET)


async def test_signing_out_everywhere_is_asked_for_and_forgets_the_session(
    product: ScriptedProduct, said: Said
) -> None:
    with pytest.raises(ValueError, match="--yes"):
        await _end_all(product.url, yes=False)
    assert saved_token(product.url) == SECRET
    await _end_all(product.url, yes=True)
    await product.request("DELETE /v1/me/sessions")
    assert (said.out, saved_token(product.url)) == ("Signed out everywhere.\n", None)


# ---- export and deletion


async def test_the_export_is_a_new_file_of_ones_own(product: ScriptedProduct, tmp_path: Path, said: Said) -> None:
    product.answers["GET /v1/me/export"] = (200, {"as": "it came"})
    await _export(product.url, None, as_json=False)
    path = tmp_path / "capicua-gada.zip"
    assert (json.loads(path.read_bytes()), path.stat().st_mode & 0o777) == ({"as": "it came"}, 0o600)
    assert said.out == "capicua-gada.zip: 17 bytes.\n"
    product.answers["GET /v1/me/export"] = (200, {"as": "another"})
    with pytest.raises(FileExistsError):
        await _export(product.url, None, as_json=False)
    assert json.loads(path.read_bytes()) == {"as": "it came"}


async def test_an_account_is_deleted_by_whoever_says_its_id(product: ScriptedProduct, said: Said) -> None:
    product.answers["DELETE /v1/me"] = Deleted(pseudonym="Somebody 7")
    for confirm, why in ((None, "--confirm"), ("gben", "nothing is deleted: expected this account's id, gada")):
        with pytest.raises(ValueError, match=why):
            await _delete(product.url, confirm, as_json=False)
    assert "DELETE /v1/me" not in [asked.line for asked in product.asked]
    await _delete(product.url, "gada", as_json=False)
    assert (await product.request("DELETE /v1/me")).body == {"confirm": "gada"}
    assert said.out == "Deleted. In old matches you are Somebody 7 now.\n"
    assert saved_token(product.url) is None


# ---- bad input


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("account --avatar 7-7", "expected a tile from 0-0 to 6-6, got '7-7'"),
        ("account --language fr", "fr"),
        ("sessions --end a --end-all", "expected one of them, got --end and --end-all"),
        ("link ada", "expected a mail address such as ada@example.org"),
        ("recover -short", "expected a mail address, or the code or link of the mail"),
        ("tokens --new a --end b", "expected one of --new and --end, got both"),
        ("tokens --scope play", "expected --new beside it"),
        ("tokens --new a --scope all", "all"),
        ("report --table 01jtable", "expected what is wrong, got nothing"),
        ("report odd --version 3", "expected --table or --replay beside it"),
        ("report odd --table a --replay b", "expected one of them, got --table and --replay"),
        ("report odd --room 0", "expected six letters and digits"),
    ],
)
def test_what_cannot_be_meant_is_explained(product: ScriptedProduct, arguments: str, told: str) -> None:
    app = typer.Typer()
    add_commands(app)
    result = CliRunner().invoke(app, [*arguments.split(), "--url", product.url])
    plain = " ".join(result.output.replace("│", " ").split())
    assert (result.exit_code, told in plain) == (2, True), plain
    assert product.asked == []
