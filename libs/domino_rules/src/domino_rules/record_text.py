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
from collections.abc import Iterator
from typing import Any

from domino_rules import RULES_VERSION
from domino_rules.events import RoundEnded
from domino_rules.notation import NotationError, action_text, hand_text
from domino_rules.record import MatchRecord, Redecided, RoundRecord
from domino_rules.record_reader import RecordReader, Unexpected, result_to_json
from domino_rules.retrace import Departure
from domino_rules.ruleset import Ruleset, RulesetError


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
    return "\n".join([*lines, "", _header("result", result_to_json(redecided.match.match_ended)), ""])


def read_match(text: str) -> MatchRecord:
    """The match of such a text; every action in it is decided. Raises `RecordError`."""
    reader, lines = RecordReader(), text.splitlines()
    for number, line in enumerate([*lines, None], start=1):
        try:
            reader.finish() if line is None else reader.take(line)
        except (NotationError, Departure, RulesetError, Unexpected) as error:
            raise RecordError(number, error.expected, str(error.got)) from None
    return reader.record


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
