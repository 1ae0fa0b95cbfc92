"""Runs a scenario and tells what happened, as JSON."""

from __future__ import annotations

from typing import Any, Final

from domino_rules.ends import ends_to_json
from domino_rules.events import GameEvent, RoundDealt
from domino_rules.legal import legal_texts
from domino_rules.match import deal, decide, evolve, forced_events
from domino_rules.notation import NotationError, hand_text, parse_action
from domino_rules.opening import OpenerNeeded
from domino_rules.reading import Malformed
from domino_rules.refusal import Reason, Refusal
from domino_rules.scenario import Scenario, ScenarioDeal
from domino_rules.state import Match, position

Json = dict[str, Any]
REFUSED: Final = "refused"


def run_scenario(scenario: Scenario) -> Json:
    """The result of the whole run, or up to the first refusal; raises `Malformed` where a lot is not given."""
    run = _Run(scenario)
    for index, text in enumerate(scenario.actions):
        refusal = run.act(text)
        if refusal is not None:
            refused = {"action": index, "reason": refusal.reason.value, "message": refusal.message}
            return {**run.result(), REFUSED: refused}
    return run.result()


class _Run:
    """The match as far as it has got, and its events."""

    def __init__(self, scenario: Scenario) -> None:
        self.events: list[GameEvent] = []
        self.deals_left = list(scenario.next_deals)
        opening = scenario.opening
        self.match = Match(
            scenario.ruleset, scenario.scores, scenario.round - 1, None, opening.opener, opening.forced, None, None
        )
        if scenario.to_move is None:
            self.deal_round(scenario.deal, "opener")
        else:
            self.match = _position(self.match, scenario, scenario.to_move)
            self.record(forced_events(self.match))
        self.deal_if_due()

    def act(self, text: str) -> Refusal | None:
        try:
            action = parse_action(text)
        except NotationError as error:
            return Refusal(Reason.UNKNOWN_ACTION, error.expected, repr(error.got))
        decided = decide(self.match, action)
        if isinstance(decided, Refusal):
            return decided
        self.record(decided)
        self.deal_if_due()
        return None

    def record(self, events: list[GameEvent]) -> None:
        for event in events:
            self.match = evolve(self.match, event)
            self.events.append(event)

    def deal_if_due(self) -> None:
        while self.match.status == "round-ended" and self.deals_left:
            self.deal_round(self.deals_left.pop(0), "next_deal.opener")

    def deal_round(self, given: ScenarioDeal, where: str) -> None:
        try:
            self.record(deal(self.match, given.hands, given.boneyard, given.opener))
        except OpenerNeeded as error:
            raise Malformed(where, str(error)) from None

    def result(self) -> Json:
        match, current = self.match, self.match.round
        assert current is not None
        return {
            "events": [event.to_json() for event in self.events if not isinstance(event, RoundDealt)],
            "status": match.status,
            "to_move": current.to_move if match.status == "playing" else None,
            "legal": legal_texts(match),
            "ends": ends_to_json(current.layout.ends),
            "hands": [hand_text(hand) for hand in current.hands],
            "boneyard": hand_text(current.boneyard),
            "scores": list(match.scores),
        }


def _position(match: Match, scenario: Scenario, to_move: int) -> Match:
    """The match with the scenario's layout lying; without an opener whoever is given the first play opened."""
    given, layout = scenario.deal, scenario.layout
    opener = given.opener or layout.plays[0].seat
    current = position(given.hands, given.boneyard, layout, to_move, opener)
    return Match(match.ruleset, match.scores, scenario.round, current, None, False, None, None)
