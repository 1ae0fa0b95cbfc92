"""`capicua replay`: print a finished match and check it."""

import json
import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from capicua.commands.guest import own_client
from capicua.commands.options import Json, Url, console, run
from capicua.replay import Step, Verification
from capicua.terminal import view_layout
from capicua.terminal.chain import chain
from capicua.terminal.narration import narrate
from capicua.terminal.picture import COLUMNS, picture
from capicua.terminal.screen import end_result
from capicua.terminal.tiles import LARGE

INDENT = " " * 6


def replay(
    table_id: Annotated[str, typer.Argument(metavar="ID", help="The table's id; you must have played there.")],
    url: Url,
    as_json: Json = False,
) -> None:
    """Print a finished match from its events; check every recorded state hash, deal and event."""
    run(_replay(table_id, url, as_json))


async def _replay(table_id: str, url: str, as_json: bool) -> int:
    async with own_client(url) as client:
        verification = Verification(await client.replay(table_id))
    out = console()
    given_back_ms = 0
    for step in verification.steps():
        if as_json:
            typer.echo(step.outcome.model_dump_json())
        else:
            print_step(step, out, step.outcome.given_back_ms - given_back_ms)
        given_back_ms = step.outcome.given_back_ms
    _print_verdict(verification, as_json)
    return 0 if verification.first_wrong is None else 1


def print_step(step: Step, out: Console, given_back_ms: int = 0) -> None:
    """`given_back_ms`: what outages have given back since the step before."""
    view = step.view()
    for line in [*_time_added(step, given_back_ms), *narrate(view)]:
        out.print(Text(f"{view.version:>4}  {line}"))
    kinds = {event["type"] for event in view.events}
    if "round-ended" in kinds or "match-ended" in kinds:
        for row in picture(chain(view.layout, view.ends), LARGE):
            out.print(row)
        for rendered in end_result(view):
            out.print(rendered)
    elif "tile-played" in kinds:
        text = textwrap.wrap(view_layout.text(view), COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT)
        out.print(Text("\n".join(text), "dim"))
    for wrong in step.wrong:
        out.print(Text(f"{INDENT}WRONG {wrong.what}: expected {wrong.expected}, got {wrong.got}", "bold red"))


def _time_added(step: Step, given_back_ms: int) -> Iterator[str]:
    """To the deadline that stood before this step, after an outage; to the turn that it starts, for a seat's delay."""
    if given_back_ms > 0:
        yield f"(the service was silent: {given_back_ms // 1000} s were given back)"
    for event in step.outcome.events:
        if event.get("credit_ms"):
            yield f"(seat {event['seat']} gets {event['credit_ms']} ms more for its connection)"


def _print_verdict(verification: Verification, as_json: bool) -> None:
    wrong = verification.first_wrong
    if as_json:
        verdict = {
            "table_id": verification.replay.table_id,
            "hashes_checked": verification.hashes_checked,
            "deals_checked": verification.deals_checked,
            "events_checked": verification.events_checked,
            "first_wrong_version": None if wrong is None else wrong.version,
        }
        typer.echo(json.dumps(verdict))
        return
    counts = verification.hashes_checked, verification.deals_checked, verification.events_checked
    checked = "state hashes: {}, deals: {}, events: {}".format(*counts)
    if not verification.events_checked:
        typer.echo(
            f"Decided by rules {verification.replay.rules_version}; these are others, and check no deal or event."
        )
    if wrong is None:
        typer.echo(f"Verified ({checked}): everything is as recorded.")
    else:
        typer.echo(f"NOT verified ({checked}): the first wrong version is {wrong.version} ({wrong.what}).")
