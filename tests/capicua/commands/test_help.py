"""The help pages, and options that mean nothing beside each other."""

import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

from capicua.commands import COMMANDS, add_commands
from capicua.commands.game import PRESET_HELP, Preset
from domino_rules.public_play import PUBLIC_CHOICES, PUBLIC_TARGETS


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    app = typer.Typer(name="capicua")
    add_commands(app)
    return app


def said(app: typer.Typer, arguments: str) -> tuple[int, str]:
    """The exit status, and all that was printed as one line of words."""
    result = CliRunner().invoke(app, arguments.split())
    plain = Text.from_ansi(result.output).plain
    return result.exit_code, " ".join(plain.replace("│", " ").split())


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_every_page_fits_eighty_columns(app: typer.Typer, command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*command, "--help"])
    lines = Text.from_ansi(result.output).plain.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in result.output  # nothing is cut off


@pytest.mark.parametrize("command", ["play", "bot"])
def test_what_each_preset_takes_is_listed(app: typer.Typer, command: str) -> None:
    _, page = said(app, f"{command} --help")
    assert PRESET_HELP in page
    for preset in Preset:
        assert f"{preset.value} 2" in page
        assert "|".join(map(str, PUBLIC_TARGETS[preset.value])) in page
        assert [name for name in PUBLIC_CHOICES[preset.value] if f"--{name}" not in page] == []
    assert "duel-draw 2 100|250|500 --clock-minutes 3|5|10|15|20 all-fives" in page


@pytest.mark.parametrize(
    ("arguments", "option", "why"),
    [
        ("--bot expert --no-bots", "--bot", "with --no-bots"),
        ("--rated --bot expert", "--bot", "with --rated, where people alone play"),
        ("--room ABC234 --preset party", "--preset", "with --room"),
        ("--room ABC234 --no-bots", "--bots", "with --room"),
        ("--room ABC234 --turn-seconds 30", "--turn-seconds", "with --room"),
        ("--new-room --rated", "--rated", "in a private room"),
        ("--new-room --bot expert", "--bot", "in a private room"),
        ("--table 01jtable --seats 3", "--seats", "with --table"),
        ("--preset duel-draw --seats 3", "--seats", "duel-draw: expected 2, got 3"),
    ],
)
def test_an_option_that_means_nothing_is_refused(app: typer.Typer, arguments: str, option: str, why: str) -> None:
    status, page = said(app, f"play --url http://127.0.0.1:1 {arguments}")
    assert status == 2
    assert f"Invalid value for {option}: " in page
    assert why in page
