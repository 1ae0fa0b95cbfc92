"""A scenario is a set-up position and what is done in it, as JSON; this module reads one and says what is malformed.

The format is a public interface for other people's test suites: see the README.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from domino_rules.actions import play_of
from domino_rules.ends import ends_to_json
from domino_rules.layout import EMPTY, Layout, places_for, with_play
from domino_rules.notation import NotationError, parse_play, play_text, tile_name
from domino_rules.opening import NextOpening, first_opening, opening_after
from domino_rules.reading import Malformed, a_hand, a_list, a_seat, a_text, a_whole_number, an_object, fields_of, needed
from domino_rules.ruleset import Ruleset, RulesetError, Seat
from domino_rules.tiles import TILES, Hand, heaviest_first

OPTIONS: Final = (
    "preset",
    "seats",
    "pairs",
    "target",
    "drawing",
    "hand_size",
    "spinner",
    "round_cap",
    "tie_at_cap",
    "boneyard_reserve",
    "stop_on_dead_end",
)
"""The options of a ruleset that a scenario may name."""


@dataclass(frozen=True, slots=True)
class ScenarioDeal:
    """One deal as printed, and who opens if the scenario says so."""

    hands: tuple[Hand, ...]
    boneyard: Hand
    opener: Seat | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a run needs. `to_move` is given exactly when something lies already."""

    ruleset: Ruleset
    deal: ScenarioDeal
    layout: Layout
    to_move: Seat | None
    scores: tuple[int, ...]
    round: int
    opening: NextOpening
    next_deals: tuple[ScenarioDeal, ...]
    actions: tuple[str, ...]


def read_scenario(body: object) -> Scenario:
    """The scenario of a JSON value; raises `Malformed`."""
    top = fields_of(body, "scenario")
    deal_body = fields_of(needed(top, "deal", ""), "deal")
    hand_texts = a_list(needed(deal_body, "hands", "deal."), "deal.hands")
    ruleset = _read_ruleset(top, len(hand_texts))
    plays = a_list(top.get("layout", []), "layout")
    to_move = a_seat(top, "to_move", "", ruleset)
    if bool(plays) != (to_move is not None):
        raise Malformed("to_move", "expected exactly when layout has plays")
    layout = _read_layout(plays, to_move, ruleset) if to_move is not None else EMPTY
    opener = a_seat(top, "opener", "", ruleset)
    return Scenario(
        ruleset,
        _read_deal(deal_body, "deal", ruleset, layout, opener),
        layout,
        to_move,
        _read_scores(top, ruleset),
        a_whole_number(top.get("round", 1), "round", 1),
        _read_previous(top, ruleset),
        _read_next_deals(top, ruleset),
        _read_actions(top),
    )


def _read_ruleset(top: Mapping[str, Any], hands: int) -> Ruleset:
    options = {"seats": hands, **an_object(needed(top, "ruleset", ""), "ruleset")}
    for name in options:
        if name not in OPTIONS:
            shown = name if name.isprintable() else repr(name)
            raise Malformed(f"ruleset.{shown}", "expected one of " + ", ".join(OPTIONS))
    if "forced" in top:
        options["forced"] = top["forced"]
    try:
        ruleset = Ruleset.from_json(options)
    except RulesetError as error:
        where = error.field if error.field == "forced" else f"ruleset.{error.field}"
        raise Malformed(where, f"expected {error.expected}, got {error.got!r}") from None
    if ruleset.seats != hands:
        raise Malformed("deal.hands", f"expected {ruleset.seats} hands, got {hands}")
    return ruleset


def _read_deal(
    body: Mapping[str, Any], where: str, ruleset: Ruleset, layout: Layout, opener: Seat | None
) -> ScenarioDeal:
    texts = a_list(needed(body, "hands", f"{where}."), f"{where}.hands")
    if len(texts) != ruleset.seats:
        raise Malformed(f"{where}.hands", f"expected {ruleset.seats} hands, got {len(texts)}")
    hands = tuple([a_hand(text, f"{where}.hands[{index}]") for index, text in enumerate(texts)])
    for index, hand in enumerate(hands):
        if not hand:
            raise Malformed(f"{where}.hands[{index}]", "expected at least one tile, got none")
    printed = a_hand(body["boneyard"], f"{where}.boneyard") if "boneyard" in body else None
    seen = [play.tile for play in layout.plays] + [tile for hand in hands for tile in hand] + list(printed or ())
    for index, tile in enumerate(seen):
        if tile in seen[:index]:
            raise Malformed(where, f"expected every tile once, got {tile_name(tile)} twice")
    if printed is None:
        printed = () if ruleset.drawing else heaviest_first(tuple(tile for tile in TILES if tile not in seen))
    return ScenarioDeal(hands, printed, opener)


def _read_next_deals(top: Mapping[str, Any], ruleset: Ruleset) -> tuple[ScenarioDeal, ...]:
    deals = []
    for index, item in enumerate(a_list(top.get("next_deal", []), "next_deal")):
        where = f"next_deal[{index}]"
        body = fields_of(item, where)
        opener = a_seat(body, "opener", f"{where}.", ruleset)
        deals.append(_read_deal(body, where, ruleset, EMPTY, opener))
    return tuple(deals)


def _read_layout(texts: list[Any], to_move: Seat, ruleset: Ruleset) -> Layout:
    """Each play is checked for fit; the last is given to the seat before `to_move`, and so on back in turn."""
    layout = EMPTY
    for index, text in enumerate(texts):
        where = f"layout[{index}]"
        try:
            tile, end = parse_play(a_text(text, where))
        except NotationError as error:
            raise Malformed(where, str(error)) from None
        if any(play.tile == tile for play in layout.plays):
            raise Malformed(where, f"expected every tile once, got {tile_name(tile)} twice")
        places = places_for(layout, tile)
        if end is None and len(places) == 1:
            end = places[0]
        if end is None or end not in places:
            raise Malformed(where, f"expected {_fit_text(layout)}, got {play_text(tile, end)}")
        seat = (to_move - 1 - (len(texts) - index)) % ruleset.seats + 1
        layout = with_play(layout, play_of(seat, tile, end), four_ends=ruleset.spinner)
    return layout


def _fit_text(layout: Layout) -> str:
    if not layout.plays:
        return "the opening tile @start"
    numbers = [f"{number}@{end}" for end, number in ends_to_json(layout.ends).items()]
    return "a tile that fits one of " + ", ".join(numbers)


def _read_scores(top: Mapping[str, Any], ruleset: Ruleset) -> tuple[int, ...]:
    if "scores" not in top:
        return (0,) * len(ruleset.sides)
    scores = a_list(top["scores"], "scores")
    if len(scores) != len(ruleset.sides):
        raise Malformed("scores", f"expected {len(ruleset.sides)} numbers, one per side, got {len(scores)}")
    for index, score in enumerate(scores):
        if a_whole_number(score, f"scores[{index}]", 0) >= ruleset.target:
            raise Malformed(f"scores[{index}]", f"expected less than the target {ruleset.target}, got {score}")
    return tuple(scores)


def _read_previous(top: Mapping[str, Any], ruleset: Ruleset) -> NextOpening:
    if "previous" not in top:
        return first_opening(ruleset)
    previous = fields_of(top["previous"], "previous")
    winner = a_seat(previous, "winner", "previous.", ruleset)
    opener = a_seat(previous, "opener", "previous.", ruleset)
    tied = previous.get("tied", winner is None)
    if not isinstance(tied, bool):
        raise Malformed("previous.tied", f"expected true or false, got {tied!r}")
    if tied == (winner is not None):
        raise Malformed("previous", "expected either a winner or tied")
    if opener is None and tied and ruleset.after_tie == "next-seat":
        raise Malformed("previous.opener", "expected the seat that opened that round, got nothing")
    return opening_after(ruleset, winner, opener or 1)


def _read_actions(top: Mapping[str, Any]) -> tuple[str, ...]:
    actions = a_list(top.get("actions", []), "actions")
    return tuple([a_text(action, f"actions[{index}]") for index, action in enumerate(actions)])
