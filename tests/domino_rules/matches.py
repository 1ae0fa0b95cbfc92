"""Whole matches for tests: dealt by the library's own shuffle, played by a seeded chooser."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any, TypeVar

from domino_rules import (
    GameEvent,
    Match,
    PlayTile,
    Refusal,
    Ruleset,
    deal,
    decide,
    evolve,
    legal_actions,
    new_match,
    shuffle,
)
from domino_rules.actions import Action
from domino_rules.notation import parse_hand, parse_play
from domino_rules.state import Round, position
from domino_rules.tiles import Hand
from domino_rules.value import Value

ValueType = TypeVar("ValueType", bound=Value)

VARIANTS: dict[str, Ruleset] = {
    "draw-2": Ruleset.of("draw", 2, target=50),
    "draw-3": Ruleset.of("draw", 3, target=50),
    "draw-4": Ruleset.of("draw", 4, target=50),
    "block-2": Ruleset.of("block", 2, target=50),
    "block-3": Ruleset.of("block", 3, target=50),
    "block-4": Ruleset.of("block", 4, target=50),
    "duel-draw": Ruleset.of("duel-draw"),
    "all-fives": Ruleset.of("all-fives"),
    "all-fives-spinner": Ruleset.of("all-fives", spinner=True),
    "party-pairs": Ruleset.of("party", 4, pairs=True),
    "party-drawing": Ruleset.of("party", 3, drawing=True),
    "draw-spinner-pairs": Ruleset.of("draw", 4, spinner=True, pairs=True, target=50),
    "draw-reserve": Ruleset.of("draw", 2, boneyard_reserve=2, stop_on_dead_end=True, target=50),
    "knock-out": Ruleset.of("duel-draw", round_cap=1, tie_at_cap="extra-rounds"),
}


def hands(*texts: str) -> tuple[Hand, ...]:
    return tuple(parse_hand(text) for text in texts)


def play_out(match: Match, *actions: Action) -> Match:
    """The match after these actions, none of which may be refused."""
    for action in actions:
        for event in accepted(decide(match, action)):
            match = evolve(match, event)
    return match


def accepted(decided: list[GameEvent] | Refusal) -> list[GameEvent]:
    assert not isinstance(decided, Refusal), decided
    return decided


def dealt(ruleset: Ruleset, *texts: str, boneyard: str = "", opener: int | None = None) -> Match:
    """The match after its first deal."""
    match = new_match(ruleset)
    for event in deal(match, hands(*texts), parse_hand(boneyard), opener):
        match = evolve(match, event)
    return match


def decisions(ruleset: Ruleset, seed: int) -> Iterator[tuple[Match, list[GameEvent]]]:
    """Every decision of a whole match and the state before it; the same seed gives the same match."""
    chooser = random.Random(seed)
    match = new_match(ruleset)
    while match.status != "match-ended":
        before = match
        if match.status == "round-ended":
            events = _next_deal(match, seed)
        else:
            events = accepted(decide(match, chooser.choice(legal_actions(match))))
        for event in events:
            match = evolve(match, event)
        yield before, events


def _next_deal(match: Match, seed: int) -> list[GameEvent]:
    number = match.round_number + 1
    server = hashlib.sha256(f"{seed}-{number}".encode()).digest()
    drawn = shuffle.deal(shuffle.Seeds(server, "t", number, ("",) * match.ruleset.seats), match.ruleset.hand_size)
    return deal(match, drawn.hands, drawn.boneyard, drawn.lot if match.lot_decides else None)


def play(text: str, seat: int = 1) -> PlayTile:
    """`6-3@left` by that seat."""
    tile, end = parse_play(text)
    return PlayTile(seat, tile, end)


def changed(value: ValueType, **fields: Any) -> ValueType:
    """The value with other fields."""
    make = position if isinstance(value, Round) else type(value)
    return make(**{name: getattr(value, name) for name in value.__match_args__} | fields)  # type: ignore[return-value]
