"""How a command ends."""

from pathlib import Path

import pytest
import typer

from capicua.commands.options import run
from capicua.errors import SignedOut, Unreachable
from capicua.private_file import write_private
from contracts.api import Watch


async def watch(table_id: str) -> int:
    Watch(table_id=table_id)
    return 0


@pytest.mark.parametrize("table_id", ["a/b", "two\nlines", "\udcff"])
def test_what_fits_into_no_message_of_the_api_is_one_line(table_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        run(watch(table_id))
    assert ended.value.exit_code == 1
    said = capsys.readouterr().err
    assert said.startswith("capicua: table_id: ")
    assert (said.count("\n"), ascii(table_id) in said) == (1, True)


async def fail(error: Exception) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "begins", "ends"),
    [
        (SignedOut("bad-secret", "no"), "your session or token has ended", "account back that has a mail address."),
        (Unreachable("http://house", "silence"), "no answer from http://house: silence. Is it running? ", "."),
        (Unreachable("http://house", "503", is_there=True), "http://house cannot do this now: 503. ", "in a moment."),
    ],
    ids=["signed out", "nobody there", "somebody there"],
)
def test_what_to_do_is_said_beside_what_was_wrong(
    error: Exception, begins: str, ends: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        run(fail(error))
    said = capsys.readouterr().err
    assert (ended.value.exit_code, said.count("\n")) == (1, 1)
    assert said.startswith(f"capicua: {begins}")
    assert said.endswith(f"{ends}\n")


async def write(path: Path) -> int:
    write_private(path, b"")
    return 0


def test_what_no_file_can_be_is_told_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nowhere" / "mine.zip"
    with pytest.raises(typer.Exit) as ended:
        run(write(path))
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == f"capicua: {path}: No such file or directory\n"
