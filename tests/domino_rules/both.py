"""A whole match played by the library and by the plain rules in step: the same answer to every action, legal or not."""

import json
import random
from typing import Any

from tests.domino_rules import reference
from tests.domino_rules.reference.match import Match as PlainMatch
from tests.domino_rules.reference.reading import read_deal
from tests.domino_rules.reference.whole_matches import next_try, whole_deal

from domino_rules import Match, Refusal, Ruleset, deal, decide, evolve, new_match
from domino_rules.events import GameEvent, RoundDealt
from domino_rules.legal import legal_texts
from domino_rules.notation import NotationError, hand_text, parse_action, parse_hand

ROUNDS_MAX = 1000


class Difference(AssertionError):
    """Both disagree; shows the scenario that leads there."""


class Both:
    """One match in the hands of chance. `scenario` is what was played so far, its refused actions left out."""

    def __init__(self, chance: random.Random, ruleset: dict[str, Any], forced: str | None) -> None:
        self.chance, self.ruleset = chance, ruleset
        self.scenario: dict[str, Any] = {"ruleset": ruleset, "actions": [], "next_deal": []}
        if forced is not None:
            self.scenario["forced"] = forced
        self.refusals: list[str] = []
        self.lots = 0
        self.plain: PlainMatch | None = None
        options = ruleset if forced is None else {**ruleset, "forced": forced}
        self.match: Match = new_match(Ruleset.from_json(options))
        self.events: list[dict[str, Any]] = []
        self.compared = 0
        """So many of the events were."""

    def play(self) -> dict[str, Any]:
        """Play to the end of the match; gives the result."""
        self.deal()
        assert self.plain is not None
        while self.plain.status != "match-ended":
            self.attempt(next_try(self.chance, self.plain))
            if self.plain.status == "round-ended":
                self.attempt(next_try(self.chance, self.plain))
                self.deal()
        self.attempt(next_try(self.chance, self.plain))
        return reference.result_of(self.plain)

    def deal(self) -> None:
        """The next round, by both."""
        given = whole_deal(self.chance, self.ruleset)
        lot_decides = self.ruleset["preset"] == "all-fives" if self.plain is None else self.plain.lot_decides
        if lot_decides:
            self.lots += 1
            given["opener"] = self.chance.randint(1, self.ruleset["seats"])
        self._deal_plainly(given)
        hands = tuple([parse_hand(hand) for hand in given["hands"]])
        self._fold(deal(self.match, hands, parse_hand(given["boneyard"]), given.get("opener")))
        self.compare("the deal")

    def _deal_plainly(self, given: dict[str, Any]) -> None:
        if self.plain is None:
            self.scenario |= {"deal": {name: given[name] for name in ("hands", "boneyard")}}
            self.scenario |= {"opener": given["opener"]} if "opener" in given else {}
            self.plain, _ = reference.start(self.scenario)
            return
        self.scenario["next_deal"].append(given)
        assert len(self.scenario["next_deal"]) < ROUNDS_MAX, "a match that does not end"
        self.plain.deal_next(read_deal(given, self.plain.rules, [], given.get("opener")))
        self.plain.do_what_is_forced()

    def attempt(self, text: str) -> None:
        """One action, which both take or refuse for the same reason."""
        assert self.plain is not None
        expected = _refused_plainly(self.plain, text)
        got = self._act(text)
        if expected != got:
            self._differ(text, expected, got)
        if expected is None:
            self.scenario["actions"].append(text)
        else:
            self.refusals.append(expected)
        self.compare(text)

    def _act(self, text: str) -> str | None:
        try:
            action = parse_action(text)
        except NotationError:
            return "unknown-action"
        decided = decide(self.match, action)
        if isinstance(decided, Refusal):
            return str(decided.reason)
        self._fold(decided)
        return None

    def _fold(self, events: list[GameEvent]) -> None:
        for event in events:
            self.match = evolve(self.match, event)
            if not isinstance(event, RoundDealt):
                self.events.append(event.to_json())

    def compare(self, after: str) -> None:
        """Everything that a result tells, but for events that were compared before."""
        assert self.plain is not None
        expected = reference.result_of(self.plain)
        expected["events"] = expected["events"][self.compared :]
        for field, value in self.told().items():
            wanted = expected[field]
            if wanted != value:
                self._differ(after, wanted, value)
        self.compared = len(self.events)

    def told(self) -> dict[str, Any]:
        """The library's result, with the events since the last comparison."""
        match, current = self.match, self.match.round
        assert current is not None
        return {
            "events": self.events[self.compared :],
            "status": match.status,
            "to_move": current.to_move if match.status == "playing" else None,
            "legal": legal_texts(match),
            "hands": [hand_text(hand) for hand in current.hands],
            "boneyard": hand_text(current.boneyard),
            "scores": list(match.scores),
        }

    def _differ(self, after: str, expected: object, got: object) -> None:
        lines = [f"after {after!r} of", self.scenario, "reference", expected, "library", got]
        raise Difference("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))


def _refused_plainly(plain: PlainMatch, text: str) -> str | None:
    """The reason against the action, none when it was taken."""
    try:
        reference.act(plain, text)
    except reference.Refused as refusal:
        return str(refusal.args[0])
    return None
