"""Reads the text of a match line by line, and decides what it says; `record_text` has the format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from domino_rules.actions import Action
from domino_rules.events import MatchEnded
from domino_rules.notation import parse_action, parse_hand
from domino_rules.record import MatchRecord, Redecided, RoundRecord
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.shuffle import SEED_BYTES, SERVER_SEED, is_client_seed

HEADER: Final = re.compile(r"\[([a-z-]+) (.*)\]")


class Unexpected(ValueError):
    """What does not belong there."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got


class RecordReader:
    """What has been read so far: `headers` are the match's until the first round, then those of the round."""

    def __init__(self) -> None:
        self.match_headers: dict[str, Any] = {}
        self.headers = self.match_headers
        self.redecided: Redecided | None = None
        """None before the first round."""
        self.rounds: list[RoundRecord] = []
        self.actions: list[Action] | None = None
        """Those of the round that is read; none before the first."""
        self.resigned: Seat | None = None
        self.is_over = False

    def take(self, line: str) -> None:
        header = HEADER.fullmatch(line.strip())
        if header is not None:
            try:
                self._take_header(header[1], _value(header[2]))
            except RecursionError:  # in reading the value, or in saying that it is another than expected
                raise Unexpected("a JSON value", header[2]) from None
        elif action := line.split("#")[0].strip():
            self._take_action(action)

    def finish(self) -> None:
        if not self.is_over:
            raise Unexpected("[result …]", "the end")

    @property
    def record(self) -> MatchRecord:
        told = self.match_headers
        ruleset: Ruleset = told["ruleset"]
        return MatchRecord(ruleset, tuple(self.rounds), told.get("table"), told.get("accounts", ()), self.resigned)

    def _take_header(self, name: str, value: Any) -> None:
        if self.is_over:
            raise Unexpected("nothing after the result", f"[{name} …]")
        if name == "round":
            self._end_round()
            self._begin_round(value)
        elif name == "result":
            self._end_round()
            self._end(value)
        else:
            awaited = _OF_THE_MATCH if self.redecided is None else _OF_A_ROUND
            if self.actions is not None or name not in awaited or name in self.headers:
                names = "an action" if self.actions is not None else "one of " + ", ".join(awaited) + ", each once"
                raise Unexpected(names, f"[{name} …]")
            self.headers[name] = awaited[name](value)

    def _begin_round(self, value: Any) -> None:
        if self.redecided is None:
            self.redecided = Redecided(_there(self.match_headers, "ruleset"))
        if value != len(self.rounds) + 1:
            raise Unexpected(f"round {len(self.rounds) + 1}", f"round {value}")
        if self.redecided.match.status != "round-ended":
            raise Unexpected("an action or the result", f"[round {value}]")
        self.headers, self.actions = {}, None

    def _take_action(self, text: str) -> None:
        if self.redecided is None or self.is_over:
            raise Unexpected("a name and a value in brackets" if self.redecided is None else "no action now", text)
        if self.actions is None:
            self._deal(self.redecided)
        assert self.actions is not None
        action = parse_action(text)
        self.redecided.act(action)
        self.actions.append(action)

    def _deal(self, redecided: Redecided) -> None:
        self.actions = []
        redecided.deal(self._round_record())

    def _round_record(self) -> RoundRecord:
        told = self.headers
        return RoundRecord(
            _there(told, "hands"),
            told.get("boneyard", ()),
            tuple(self.actions or ()),
            told.get("lot"),
            told.get("client-seeds", ()),
            told.get("commitment"),
            told.get("server-seed"),
        )

    def _end_round(self) -> None:
        if self.redecided is None or self.headers is self.match_headers:
            return
        if self.actions is None:
            self._deal(self.redecided)
        self.rounds.append(self._round_record())

    def _end(self, value: Any) -> None:
        redecided = self.redecided or Redecided(_there(self.match_headers, "ruleset"))
        if isinstance(value, dict) and value.get("reason") == "resigned" and value.get("winner") in ([1], [2]):
            self.resigned = 3 - value["winner"][0]
            redecided.resign(self.resigned)
        result = result_to_json(redecided.match.match_ended)
        if value != result:
            raise Unexpected(json.dumps(result), json.dumps(value))
        self.is_over = True


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Unexpected("a JSON value", text) from None


def _there(told: dict[str, Any], name: str) -> Any:
    if name not in told:
        raise Unexpected(f"[{name} …] before it", "none")
    return told[name]


def _a_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unexpected("a text", json.dumps(value))
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Unexpected("a list of texts", json.dumps(value))
    return tuple([_a_text(item) for item in value])


def _a_table_id(value: Any) -> str:
    if ":" in _a_text(value):
        raise Unexpected("a table id without a colon", json.dumps(value))
    return str(value)


def _a_server_seed(value: Any) -> str:
    if SERVER_SEED.fullmatch(_a_text(value)) is None:
        raise Unexpected(f"{2 * SEED_BYTES} hex digits", json.dumps(value))
    return str(value)


def _client_seeds(value: Any) -> tuple[str, ...]:
    for seed in _texts(value):
        if not is_client_seed(seed):
            raise Unexpected("seeds of 0 to 64 printable ASCII characters without a colon", json.dumps(seed))
    return tuple(value)


def _a_seat(value: Any) -> Seat:
    if isinstance(value, bool) or value not in (1, 2, 3, 4):
        raise Unexpected("a seat", json.dumps(value))
    return int(value)


def _ruleset(value: Any) -> Ruleset:
    if not isinstance(value, dict):
        raise Unexpected("an object of options", json.dumps(value))
    return Ruleset.from_json(value)


_OF_THE_MATCH: Final[dict[str, Callable[[Any], Any]]] = {
    "rules": _a_text,
    "ruleset": _ruleset,
    "table": _a_table_id,
    "accounts": _texts,
}
_OF_A_ROUND: Final[dict[str, Callable[[Any], Any]]] = {
    "commitment": _a_text,
    "server-seed": _a_server_seed,
    "client-seeds": _client_seeds,
    "hands": lambda value: tuple([parse_hand(hand) for hand in _texts(value)]),
    "boneyard": lambda value: parse_hand(_a_text(value)),
    "lot": _a_seat,
}


def result_to_json(ended: MatchEnded | None) -> dict[str, Any] | None:
    if ended is None:
        return None
    return {"reason": ended.reason, "winner": list(ended.winner), "scores": list(ended.scores)}
