"""A whole match as a text file, one thing a line, in the manner of PGN.

```
[rules "1"]
[ruleset {"preset": "draw", "seats": 2, "target": 50}]
[table "table-1"]
[accounts ["anna", "berta"]]

[round 1]
[commitment "66687a…"]
[server-seed "000000…"]
[client-seeds ["", "salt"]]
[hands ["6-6 1-0 …", "5-5 …"]]
[boneyard "4-4 …"]

1 6-6@start
2 6-1@left
…
# out: seat 2 gains 8, scores 0 8

[result {"reason": "target", "winner": [2], "scores": [12, 55]}]
```

A line in brackets is a name and a JSON value; any other line is an action as in `notation`. `#` begins a comment, in a
line of its own or after an action. `ruleset` names the preset, the seats and what else differs from the preset;
`rounds` count from 1; `lot` is there where a lot decided who opens. The result is `null` for a match that is not over.
`rules`, `table`, `accounts`, and in a round `commitment`, `server-seed`, `client-seeds` may be missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from domino_rules import RULES_VERSION
from domino_rules.actions import Action
from domino_rules.events import MatchEnded, RoundEnded
from domino_rules.notation import NotationError, action_text, hand_text, parse_action, parse_hand
from domino_rules.record import MatchRecord, Redecided, RoundRecord
from domino_rules.retrace import Departure
from domino_rules.ruleset import Ruleset, RulesetError, Seat

_HEADER: Final = re.compile(r"\[([a-z-]+) (.*)\]")


class RecordError(ValueError):
    """A text that is no match; says in which line (from 1), what was expected and what came."""

    def __init__(self, line: int, expected: str, got: str) -> None:
        super().__init__(f"line {line}: expected {expected}, got {got}")
        self.line, self.expected, self.got = line, expected, got


def write_match(record: MatchRecord) -> str:
    """The match as text; raises `retrace.Departure` when an action in it is refused."""
    redecided = Redecided(record.ruleset)
    lines = [_header("rules", RULES_VERSION), _header("ruleset", _options(record.ruleset))]
    lines += [_header("table", record.table_id)] if record.table_id is not None else []
    lines += [_header("accounts", list(record.accounts))] if record.accounts else []
    for number, one in enumerate(record.rounds, start=1):
        lines += ["", _header("round", number), *_round_headers(one), ""]
        redecided.deal(one)
        for action in one.actions:
            lines.append(action_text(action))
            lines += [_remark(event) for event in redecided.act(action) if isinstance(event, RoundEnded)]
    if record.resigned is not None:
        redecided.resign(record.resigned)
    return "\n".join([*lines, "", _header("result", _result(redecided.match.match_ended)), ""])


def read_match(text: str) -> MatchRecord:
    """The match of such a text; every action in it is decided. Raises `RecordError`."""
    reader, lines = _Reader(), text.splitlines()
    for number, line in enumerate([*lines, None], start=1):
        try:
            reader.finish() if line is None else reader.take(line)
        except (NotationError, Departure, RulesetError, _Unexpected) as error:
            raise RecordError(number, error.expected, str(error.got)) from None
    return reader.record


class _Unexpected(ValueError):
    """What does not belong there."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got


def _header(name: str, value: object) -> str:
    return f"[{name} {json.dumps(value)}]"


def _options(ruleset: Ruleset) -> dict[str, Any]:
    """The preset, the seats, and what differs from both."""
    usual = Ruleset.of(ruleset.preset, ruleset.seats).to_json()
    return {
        name: value for name, value in ruleset.to_json().items() if name in ("preset", "seats") or value != usual[name]
    }


def _round_headers(one: RoundRecord) -> Iterator[str]:
    for name, value in (
        ("commitment", one.commitment),
        ("server-seed", one.server_seed),
        ("client-seeds", list(one.client_seeds) or None),
        ("hands", [hand_text(hand) for hand in one.hands]),
        ("boneyard", hand_text(one.boneyard)),
        ("lot", one.lot),
    ):
        if value is not None:
            yield _header(name, value)


def _remark(event: RoundEnded) -> str:
    won = "nobody gains" if event.winner is None else f"seat {event.winner} gains {event.points}"
    return f"# {event.reason}: {won}, scores {' '.join(str(score) for score in event.scores)}"


def _result(ended: MatchEnded | None) -> dict[str, Any] | None:
    if ended is None:
        return None
    return {"reason": ended.reason, "winner": list(ended.winner), "scores": list(ended.scores)}


class _Reader:
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
        header = _HEADER.fullmatch(line.strip())
        if header is not None:
            self._take_header(header[1], _value(header[2]))
        elif action := line.split("#")[0].strip():
            self._take_action(action)

    def finish(self) -> None:
        if not self.is_over:
            raise _Unexpected("[result …]", "the end")

    @property
    def record(self) -> MatchRecord:
        told = self.match_headers
        ruleset: Ruleset = told["ruleset"]
        return MatchRecord(ruleset, tuple(self.rounds), told.get("table"), told.get("accounts", ()), self.resigned)

    def _take_header(self, name: str, value: Any) -> None:
        if self.is_over:
            raise _Unexpected("nothing after the result", f"[{name} …]")
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
                raise _Unexpected(names, f"[{name} …]")
            self.headers[name] = awaited[name](value)

    def _begin_round(self, value: Any) -> None:
        if self.redecided is None:
            self.redecided = Redecided(_there(self.match_headers, "ruleset"))
        if value != len(self.rounds) + 1:
            raise _Unexpected(f"round {len(self.rounds) + 1}", f"round {value}")
        if self.redecided.match.status != "round-ended":
            raise _Unexpected("an action or the result", f"[round {value}]")
        self.headers, self.actions = {}, None

    def _take_action(self, text: str) -> None:
        if self.redecided is None or self.is_over:
            raise _Unexpected("a name and a value in brackets" if self.redecided is None else "no action now", text)
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
        result = _result(redecided.match.match_ended)
        if value != result:
            raise _Unexpected(json.dumps(result), json.dumps(value))
        self.is_over = True


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _Unexpected("a JSON value", text) from None


def _there(told: dict[str, Any], name: str) -> Any:
    if name not in told:
        raise _Unexpected(f"[{name} …] before it", "none")
    return told[name]


def _a_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Unexpected("a text", json.dumps(value))
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Unexpected("a list of texts", json.dumps(value))
    return tuple([_a_text(item) for item in value])


def _a_seat(value: Any) -> Seat:
    if isinstance(value, bool) or value not in (1, 2, 3, 4):
        raise _Unexpected("a seat", json.dumps(value))
    return int(value)


def _ruleset(value: Any) -> Ruleset:
    if not isinstance(value, dict):
        raise _Unexpected("an object of options", json.dumps(value))
    return Ruleset.from_json(value)


_OF_THE_MATCH: Final[dict[str, Callable[[Any], Any]]] = {
    "rules": _a_text,
    "ruleset": _ruleset,
    "table": _a_text,
    "accounts": _texts,
}
_OF_A_ROUND: Final[dict[str, Callable[[Any], Any]]] = {
    "commitment": _a_text,
    "server-seed": _a_text,
    "client-seeds": _texts,
    "hands": lambda value: tuple([parse_hand(hand) for hand in _texts(value)]),
    "boneyard": lambda value: parse_hand(_a_text(value)),
    "lot": _a_seat,
}
