"""Reading an outcome's body, and holding it against its header."""

import json
from typing import Any, NamedTuple

from bus.header import OutcomeHeader

BODY_BYTES_MAX = 512 * 1024
RETIRED = "retired"


class Unreadable(ValueError):
    """The body is no outcome's, or another one's than the header says. Holds nothing of the content."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.expected, self.got = expected, got


class Body(NamedTuple):
    """What an outcome says; `refusal` and `fault` are codes."""

    command_id: str
    principal: str
    aggregate: str
    version: int
    at: int
    events: list[dict[str, Any]]
    refusal: str | None
    fault: str | None
    duplicate_of: int | None
    state_hash: str | None

    @property
    def decided(self) -> bool:
        """Whether the command was understood and decided just here."""
        return self.fault is None and self.duplicate_of is None

    @property
    def accepted(self) -> bool:
        return self.decided and self.refusal is None


def read_body(value: bytes, header: OutcomeHeader, key: str) -> Body:
    """The body, which agrees with `header` and with the record's key. Raises `Unreadable`."""
    try:
        raw = json.loads(value)
        events = raw.get("events") or []
        body = Body(
            _typed(raw["command_id"], str),
            _typed(raw["principal"], str),
            _typed(raw["aggregate"], str),
            _typed(raw["version"], int),
            _typed(raw["at"], int),
            [_typed(event, dict) for event in _typed(events, list)],
            _code(raw.get("refusal")),
            _code(raw.get("fault")),
            _optional(raw.get("duplicate_of"), int),
            _optional(raw.get("state_hash"), str),
        )
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise Unreadable("the body of an outcome", f"{type(error).__name__} in reading it") from None
    _compare(body, header, key)
    return body


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(kind.__name__)
    return value


def _optional(value: Any, kind: type) -> Any:
    return None if value is None else _typed(value, kind)


def _code(trouble: dict[str, Any] | None) -> str | None:
    return None if trouble is None else _typed(trouble["code"], str)


def _compare(body: Body, header: OutcomeHeader, key: str) -> None:
    if body.aggregate != key:
        raise Unreadable("the record's key as aggregate", "another one")
    count = 1 if header.retires else header.to_version - header.from_version
    if len(body.events) != count:
        raise Unreadable(f"{count} events from {header.from_version} to {header.to_version}", str(len(body.events)))
    if body.duplicate_of is None and body.version != header.to_version:
        raise Unreadable(f"version {header.to_version}", str(body.version))
    if body.version > header.to_version:
        raise Unreadable(f"at most version {header.to_version}", str(body.version))
    if header.retires != any(event.get("type") == RETIRED for event in body.events):
        raise Unreadable("version 0 where the aggregate is retired, and nowhere else", str(header.to_version))
    if body.fault is not None and body.events:
        raise Unreadable("a fault that changes nothing", f"{len(body.events)} events")
