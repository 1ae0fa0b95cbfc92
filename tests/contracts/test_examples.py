"""A golden example of every message: what is on the wire and in old logs has to stay readable.

`<tag>.json` is what is written today. When a message's shape changes its old example stays as `<tag>.<n>.json`, is
still read, and is never edited.
"""

import inspect
import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from contracts import (
    account,
    account_api,
    account_inner,
    api,
    envelope,
    lifecycle,
    live_cache,
    queue_api,
    region,
    room,
    room_api,
    table,
)
from contracts.message import Message, StrictMessage
from contracts.topics import TOPICS
from domino_rules import table as rules

EXAMPLES = Path(__file__).parents[2] / "libs/contracts/examples"
MODULES = (
    *(account, account_api, account_inner),
    *(api, envelope, lifecycle, live_cache, queue_api, region, room, room_api, table),
)
PARTS = {"Reservation", "Pool", "RoomSeat", "Source", "SeatedAt", "ReplayOutcome", "Refusal", "Fault"} | {
    "WishedPool", "Why", "Offer", "Person", "TableEntry", "PublicRoom", "FinishedTable", "PersonInRoom", "SeatInRoom"
}  # fmt: skip
Body = dict[str, Any]


def messages(module: ModuleType) -> Iterator[type[BaseModel]]:
    """The messages that a module defines, without those that are only parts of others."""
    for name, found in vars(module).items():
        defined_here = inspect.isclass(found) and found.__module__ == module.__name__
        if defined_here and name not in PARTS and issubclass(found, Message | StrictMessage):
            yield found


def tag(message: type[BaseModel]) -> str:
    """The wire tag, or the class's name in its style where a message goes without one."""
    field = message.model_fields.get("type")
    text = str(field.default) if field is not None else ""
    return text if re.fullmatch(r"[a-z-]+", text) else re.sub(r"(?<!^)(?=[A-Z])", "-", message.__name__).lower()


def folder(message: type[BaseModel]) -> Path:
    return EXAMPLES / message.__module__.rsplit(".", 1)[-1]


def read(path: Path) -> Body:
    body: Body = json.loads(path.read_text())
    return body


ALL = [message for module in MODULES for message in messages(module)]
TABLE_EVENTS = [
    event for event in typing.get_args(typing.get_args(table.TableEvent)[0]) if event is not envelope.Retired
]


@pytest.mark.parametrize("message", ALL, ids=tag)
def test_a_message_is_written_as_its_example_says(message: type[BaseModel]) -> None:
    body = read(folder(message) / f"{tag(message)}.json")
    assert message.model_validate(body).model_dump(mode="json") == body


@pytest.mark.parametrize("message", ALL, ids=tag)
def test_every_older_example_of_a_message_can_still_be_read(message: type[BaseModel]) -> None:
    for path in folder(message).glob(f"{tag(message)}*.json"):
        if re.fullmatch(rf"{tag(message)}(\.\d+)?\.json", path.name):
            message.model_validate(read(path))


def test_no_example_is_left_without_its_message() -> None:
    expected = {folder(message) / f"{tag(message)}.json" for message in ALL}
    found = {path.with_name(path.name.split(".")[0] + ".json") for path in EXAMPLES.rglob("*.json")}
    assert found == expected


@pytest.mark.parametrize("message", [m for m in ALL if issubclass(m, Message)], ids=tag)
def test_an_older_reader_takes_a_newer_writers_message(message: type[BaseModel]) -> None:
    body = read(folder(message) / f"{tag(message)}.json")
    assert message.model_validate(body | {"of-a-later-version": 1}) == message.model_validate(body)


@pytest.mark.parametrize("message", [m for m in ALL if issubclass(m, StrictMessage)], ids=tag)
def test_a_typing_error_from_outside_is_seen_at_once(message: type[BaseModel]) -> None:
    body = read(folder(message) / f"{tag(message)}.json")
    with pytest.raises(ValidationError, match="Extra inputs"):
        message.model_validate(body | {"tabel_id": "x"})


@pytest.mark.parametrize("message", ALL, ids=tag)
def test_a_message_is_a_value(message: type[BaseModel]) -> None:
    assert message.model_config["frozen"] is True


@pytest.mark.parametrize("name", ["table", "lobby", "lifecycle"])
def test_a_tag_leads_back_to_its_message(name: str) -> None:
    unions = {topic.messages for topic in TOPICS if topic.messages is not None}
    for path in (EXAMPLES / name).glob("*.json"):
        body = read(path)
        decoded = [found for union in unions if (found := decode(union, body)) is not None]
        assert [tag(type(found)) for found in decoded] == [path.name.split(".")[0]]


def decode(union: Any, body: Body) -> BaseModel | None:
    try:
        found: BaseModel = TypeAdapter(union).validate_python(body)
    except ValidationError:
        return None
    return found


@pytest.mark.parametrize("message", TABLE_EVENTS, ids=tag)
def test_the_rules_write_a_tables_events_in_the_shape_that_is_promised(message: type[BaseModel]) -> None:
    body = read(folder(message) / f"{tag(message)}.json")
    written = rules.event_from_json(body).to_json()
    assert message.model_validate(written).model_dump(mode="json") == body
    assert written.keys() <= message.model_fields.keys()
