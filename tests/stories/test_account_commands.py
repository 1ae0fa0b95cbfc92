"""What a person does about the own account with the `capicua` command, on the whole product."""

import asyncio
import json
import shlex
import zipfile
from pathlib import Path

import pytest
from tests.stories.people import an_address, keep, newest_code
from typer import Typer
from typer.testing import CliRunner

from capicua import Client
from capicua.commands import add_commands
from capicua.saved_guest import saved_token
from capicua.server.stack import Stack


@pytest.fixture(autouse=True)
def shell(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user of that product, with a configuration folder of their own, in a folder of their own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CAPICUA_URL", stack.gateway_url)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


async def capicua(arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error; in this process, where it need not be started each time."""
    app = Typer()
    add_commands(app)
    done = await asyncio.to_thread(CliRunner().invoke, app, shlex.split(arguments))
    return done.exit_code, done.stdout, done.stderr


async def said(arguments: str) -> str:
    """What a command says that does what it is asked for."""
    status, out, err = await capicua(arguments)
    assert status == 0, (out, err)
    return out


async def refused(arguments: str) -> str:
    """The one line by which a command says that it does not."""
    status, out, err = await capicua(arguments)
    assert (status, out) == (1, ""), (out, err)
    assert len(err.splitlines()) == 1
    return err


async def profile() -> dict[str, object]:
    found: dict[str, object] = json.loads(await said("account --json"))
    return found


async def test_an_account_from_its_first_name_to_its_end(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "you have no account here yet" in await refused("account")
    await said("name Ada")
    secret = saved_token(stack.gateway_url)
    assert secret is not None
    assert "Ada" in await said("account --avatar 3-6 --language de")
    guest = await profile()
    assert (guest["kind"], guest["name"], guest["avatar"], guest["language"]) == ("guest", "Ada", "6-3", "de")

    address = an_address()
    assert "A mail is on its way." in await said(f"link {address} --language pl")
    code = await newest_code(stack, address)
    assert "You are Ada, kept by a" in await said(f"recover {code}")
    kept = await profile()
    assert (kept["account"], kept["kind"]) == (guest["account"], "kept")
    assert "link-used" in await refused(f"recover {code}")

    monkeypatch.setenv("CAPICUA_GUEST", "another terminal")
    await said("name 'on a phone'")
    await said(f"recover {address}")
    link = f"{stack.gateway_url}/recover#{await newest_code(stack, address, [code])}"
    out = await said(f"recover {link}")
    assert "What you have played here as a guest is this account's now." in out
    assert (await profile())["account"] == guest["account"]
    here = [json.loads(line) for line in (await said("sessions --json")).splitlines()]
    assert [line["here"] for line in here].count(True) == 1
    assert "Signed out everywhere but here." in await said("sessions --end-others")
    assert "(here)" in (await said("sessions")).splitlines()[1]
    monkeypatch.setenv("CAPICUA_GUEST", "")
    assert "your session has ended" in await refused("account")
    monkeypatch.setenv("CAPICUA_GUEST", "another terminal")

    made = await said("tokens --new laptop --scope account --scope play")
    monkeypatch.setenv("CAPICUA_TOKEN", made.strip())
    assert (await profile())["account"] == guest["account"]
    assert "scope-missing" in await refused("tokens")
    assert "scope-missing" in await refused(f"delete --confirm {guest['account']}")
    monkeypatch.delenv("CAPICUA_TOKEN")
    (token,) = [json.loads(line) for line in (await said("tokens --json")).splitlines()]
    assert (token["label"], sorted(token["scopes"]), token["secret"]) == ("laptop", ["account", "play"], None)
    assert "Ended: laptop." in await said(f"tokens --end {token['token'][:8]}")
    monkeypatch.setenv("CAPICUA_TOKEN", made.strip())
    assert "does not take the token in CAPICUA_TOKEN" in await refused("account")
    monkeypatch.delenv("CAPICUA_TOKEN")

    program = json.loads(await said("programs --new Rosa --json"))
    assert program["account"] in await said("programs")
    renewed = (await said(f"programs --token {program['account'][:8]}")).strip()
    assert renewed != program["token"]["secret"]
    monkeypatch.setenv("CAPICUA_TOKEN", renewed)
    assert (await profile())["account"] == program["account"]
    monkeypatch.delenv("CAPICUA_TOKEN")
    assert f"Deleted: {program['account']}." in await said(f"programs --end {program['account']} --yes")
    assert "You have declared no program." in await said("programs")

    assert "Thank you." in await said("report odd --table 01jtable --version 3")
    assert "table 01jtable: nobody has looked at it yet" in await said("report")

    await said("export mine.zip")
    with zipfile.ZipFile(tmp_path / "mine.zip") as archive:
        everything = "".join(archive.read(name).decode() for name in archive.namelist())
    assert address in everything
    assert not any(word in everything for word in (secret, code, made.strip(), program["token"]["secret"]))

    assert "nothing is deleted" in await refused("delete --confirm somebody")
    assert "Deleted. In old matches you are" in await said(f"delete --confirm {guest['account']}")
    assert "you have no account here yet" in await refused("account")
    monkeypatch.setenv("CAPICUA_TOKEN", program["token"]["secret"])
    assert "does not take the token" in await refused("account")


async def test_a_stranger_learns_nothing_about_an_address(stack: Stack) -> None:
    known, unknown = an_address(), an_address()
    async with Client(stack.gateway_url) as ann:
        await keep(stack, ann, known)
    assert await said(f"recover {known}") == await said(f"recover {unknown}")
    assert "bad-link" in await refused("recover a-code-that-was-never-sent")
