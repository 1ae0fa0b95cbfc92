import json
from typing import Any

import pytest

from contracts.api import Ping, SocketError, TableRequest, Watch
from gateway.frames import FRAME_BYTES_MAX, Unusable, parse, understand


def error_of(frame: str | None) -> SocketError:
    with pytest.raises(Unusable) as raised:
        understand(parse(frame))
    return raised.value.error


def test_good_frames_become_messages() -> None:
    assert understand(parse('{"type":"ping","id":"1"}')) == Ping(id="1")
    assert understand(parse('{"type":"watch","table_id":"t","version":3}')) == Watch(table_id="t", version=3)
    play = {"type": "play-tile", "turn": 3, "tile": "6-3", "end": "left"}
    request = understand(parse(json.dumps({"type": "command", "id": "a", "table_id": "t", "command": play})))
    assert isinstance(request, TableRequest)


@pytest.mark.parametrize("frame", ["", "no json", "[]", "3", "null", '{"type":', "[" * 10_000])
def test_what_is_no_json_object_is_a_bad_message(frame: str) -> None:
    assert (error_of(frame).code, error_of(frame).expected) == ("bad-message", "a JSON object")


def test_a_binary_frame_is_a_bad_message() -> None:
    assert error_of(None).expected == "a text frame"


def test_a_frame_over_16_kib_is_too_large_and_one_of_16_kib_is_not() -> None:
    frame = '{"type":"ping","id":"1"' + " " * (FRAME_BYTES_MAX - 24) + "}"
    assert understand(parse(frame)) == Ping(id="1")
    error = error_of(frame + " ")
    assert (error.code, error.expected, error.got) == ("frame-too-large", "at most 16384 bytes", "16385 bytes")


def test_size_is_counted_in_bytes() -> None:
    assert error_of('{"type":"' + "ü" * 9000 + '"}').code == "frame-too-large"


@pytest.mark.parametrize("message", [{"type": "dance"}, {"type": 3}, {"type": None, "id": "7"}])
def test_an_unknown_message_is_told_which_ones_there_are(message: dict[str, Any]) -> None:
    error = error_of(json.dumps(message))
    assert error.code == "unknown-message"
    assert "one of hello, watch" in error.expected
    assert error.id == message.get("id")


def test_a_message_without_a_type_is_told_where_to_read() -> None:
    error = error_of("{}")
    assert (error.code, error.expected) == ("unknown-message", "one of the messages of /v1/docs")


def test_an_unknown_command_is_told_which_ones_there_are() -> None:
    command = {"type": "command", "id": "7", "table_id": "t", "command": {"type": "open-table"}}
    error = error_of(json.dumps(command))
    assert (error.code, error.got, error.id) == ("unknown-command", '"open-table"', "7")
    assert "play-tile" in error.expected
    assert "time-out" not in error.expected


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"turn": 0}, "turn"),
        ({"turn": "next"}, "turn"),
        ({"turn": 2**31}, "turn"),
        ({"tile": "7-1"}, "tile"),
        ({"end": "middle"}, "end"),
    ],
)
def test_a_malformed_command_says_which_field_is_wrong_and_what_came(change: dict[str, Any], where: str) -> None:
    play = {"type": "play-tile", "turn": 3, "tile": "6-3", **change}
    error = error_of(json.dumps({"type": "command", "id": "7", "table_id": "t", "command": play}))
    assert (error.code, error.id) == ("bad-message", "7")
    assert where in error.message
    assert error.got == json.dumps(change[where])


@pytest.mark.parametrize("command_id", ["", "timeout:t1:turn-3:1", "a" * 65, 3, None])
def test_ids_of_our_own_kind_and_other_strange_ones_are_refused(command_id: object) -> None:
    error = error_of(json.dumps({"type": "ping", "id": command_id}))
    assert (error.code, "id" in error.message) == ("bad-message", True)


def test_a_bad_hello_never_quotes_the_token() -> None:
    for token in (["secret"], 12345, {"secret": 1}):
        error = error_of(json.dumps({"type": "hello", "token": token}))
        assert error.code == "bad-message"
        assert "secret" not in error.model_dump_json()
        assert "12345" not in error.model_dump_json()
    nested = error_of(json.dumps({"type": "hello", "token": "x", "secret": "y"}))
    assert nested.code == "bad-message"


@pytest.mark.parametrize("kind", ["nope", "ping"])
def test_an_id_that_no_frame_can_carry_is_not_repeated(kind: str) -> None:
    error = error_of(json.dumps({"type": kind, "id": "\ud800"}))
    assert error.id is None
    assert error.model_dump_json()


def test_a_long_value_is_not_echoed() -> None:
    error = error_of(json.dumps({"type": "watch", "table_id": "t" * 5000}))
    assert len(error.model_dump_json()) < 500
