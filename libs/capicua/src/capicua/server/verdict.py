"""How a command ends that reads event logs and says whether all is well with them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import typer

from capicua.server.audit.auditor import EVENTS
from capicua.server.brokers import UNREAD, why_unread
from capicua.server.output import OutputClosed, output_closed, say
from contracts.topics import BY_NAME, DECIDERS

WELL, NOT_WELL, UNREADABLE = 0, 1, 2
EVENT_TOPICS = tuple(f"{decider}{EVENTS}" for decider in DECIDERS)


class Report(Protocol):
    def to_json(self) -> Mapping[str, Any]: ...


R = TypeVar("R", bound=Report)


def are_event_topics(names: Sequence[str]) -> bool:
    """Of deciders, ours or others'. Says so when they are not."""
    strange = [name for name in names if not name.endswith(EVENTS) or name in BY_NAME.keys() - set(EVENT_TOPICS)]
    if strange:
        typer.echo(f"Expected event topics, as {', '.join(EVENT_TOPICS)}, got {', '.join(strange)}.", err=True)
    return not strange


def tell(
    read: Callable[[], R], lines: Callable[[R], Iterable[str]], is_well: Callable[[R], bool], as_json: bool
) -> int:
    """Prints the report that `read` gives, for people as `lines`, and returns the exit status."""
    try:
        report = read()
        say(json.dumps(report.to_json()) if as_json else "\n".join(lines(report)))
    except OutputClosed:
        return output_closed()
    except UNREAD as error:
        typer.echo(why_unread(error), err=True)
        return UNREADABLE
    return WELL if is_well(report) else NOT_WELL
