"""From a frame to a message, or to an error that says what was expected and what came."""

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from contracts.api import ClientMessage, FromClient, SocketError
from gateway.codes import Code
from gateway.validation import expectation

FRAME_BYTES_MAX = 16 * 1024
GOT_CHARACTERS_MAX = 80
_MESSAGES: TypeAdapter[ClientMessage] = TypeAdapter(FromClient)


class Unusable(Exception):
    """A frame that cannot be used; `error` is what its sender is told."""

    def __init__(self, error: SocketError) -> None:
        super().__init__(error.code)
        self.error = error


def socket_error(
    code: str, what: str, expected: str, got: str, *, request: str | None = None, table_id: str | None = None
) -> SocketError:
    """`what` is the part that is wrong; `request` and `table_id` what it is about, if anything."""
    message = f"{what}: expected {expected}, got {got}"
    return SocketError(code=code, message=message, expected=expected, got=got, id=request, table_id=table_id)


def parse(text: str | None) -> dict[str, Any]:
    """The JSON object of a frame; `text` is None for a binary one. Raises `Unusable`."""
    if text is None:
        raise Unusable(socket_error(Code.BAD_MESSAGE, "frame", "a text frame", "a binary one"))
    size = len(text.encode())
    if size > FRAME_BYTES_MAX:
        expected = f"at most {FRAME_BYTES_MAX} bytes"
        raise Unusable(socket_error(Code.FRAME_TOO_LARGE, "frame", expected, f"{size} bytes"))
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise Unusable(socket_error(Code.BAD_MESSAGE, "frame", "a JSON object", "something else")) from None
    if not isinstance(payload, dict):
        raise Unusable(socket_error(Code.BAD_MESSAGE, "frame", "a JSON object", _short(payload)))
    return payload


def request_id(payload: dict[str, Any]) -> str | None:
    """The id that the client gave its request, for errors about it; JSON can spell texts that no frame can carry."""
    found = payload.get("id")
    return found if isinstance(found, str) and len(found) <= 64 and found.isprintable() else None


def understand(payload: dict[str, Any]) -> ClientMessage:
    """The message of a frame. Raises `Unusable`: `unknown-message`, `unknown-command` or `bad-message`."""
    try:
        return _MESSAGES.validate_python(payload, strict=False)
    except ValidationError as error:
        raise Unusable(_explain(error, request_id(payload))) from None


def _explain(error: ValidationError, request: str | None) -> SocketError:
    first = error.errors(include_url=False)[0]
    path = [str(part) for part in first["loc"]]
    if first["type"].startswith("union_tag"):
        code = Code.UNKNOWN_COMMAND if path else Code.UNKNOWN_MESSAGE
        context = first["ctx"]
        tags = context.get("expected_tags", "the messages of /v1/docs").replace("'", "")
        where, got = ".".join([*path, "type"]), _short(context.get("tag"))
        return socket_error(code, where, f"one of {tags}", got, request=request)
    where = ".".join(path[1:]) or "message"
    got = "nothing" if first["type"] == "missing" else _short(first["input"])
    if where == "token":
        got = "something else"
    return socket_error(Code.BAD_MESSAGE, where, expectation(first), got, request=request)


def _short(value: Any) -> str:
    """The value itself when it is small, else its kind."""
    text = json.dumps(value, default=str) if not isinstance(value, dict | list) else type(value).__name__
    return text if len(text) <= GOT_CHARACTERS_MAX else f"{type(value).__name__} of {len(text)} characters"
