"""The whole state of a match as JSON, hidden tiles included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domino_rules.actions import play_of
from domino_rules.ends import ends_from_json, ends_to_json
from domino_rules.events import Json, MatchEnded, RoundEnded
from domino_rules.layout import Layout
from domino_rules.notation import hand_text, parse_end, parse_hand, parse_tile, tile_name
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match, Round, position


def to_json(match: Match) -> Json:
    """The match without its ruleset, which never changes; `from_json` gives an equal match back."""
    return {
        "scores": list(match.scores),
        "round_number": match.round_number,
        "round": None if match.round is None else _round_to_json(match.round),
        "next_opener": match.next_opener,
        "next_forced": match.next_forced,
        "round_ended": None if match.round_ended is None else match.round_ended.to_json(),
        "match_ended": None if match.match_ended is None else match.match_ended.to_json(),
    }


def from_json(body: Mapping[str, Any], ruleset: Ruleset) -> Match:
    """The match of such an object under its ruleset."""
    ended, over = body["round_ended"], body["match_ended"]
    return Match(
        ruleset,
        tuple(body["scores"]),
        body["round_number"],
        None if body["round"] is None else _round_from_json(body["round"]),
        body["next_opener"],
        body["next_forced"],
        None if ended is None else RoundEnded.from_json(ended),
        None if over is None else MatchEnded.from_json(over),
    )


def _round_to_json(current: Round) -> Json:
    return {
        "hands": [hand_text(hand) for hand in current.hands],
        "boneyard": hand_text(current.boneyard),
        "plays": [[play.seat, tile_name(play.tile), play.end] for play in current.layout.plays],
        "ends": ends_to_json(current.layout.ends),
        "to_move": current.to_move,
        "opener": current.opener,
        "forced_tile": None if current.forced_tile is None else tile_name(current.forced_tile),
        "passes_in_a_row": current.passes_in_a_row,
        "passes": [[seat, list(numbers)] for seat, numbers in current.passes],
        "draws": [[seat, count, list(numbers), after] for seat, count, numbers, after in current.draws],
    }


def _round_from_json(body: Mapping[str, Any]) -> Round:
    forced = body["forced_tile"]
    plays = tuple([play_of(seat, parse_tile(tile), parse_end(end)) for seat, tile, end in body["plays"]])
    return position(
        tuple([parse_hand(hand) for hand in body["hands"]]),
        parse_hand(body["boneyard"]),
        Layout(plays, ends_from_json(body["ends"])),
        body["to_move"],
        body["opener"],
        None if forced is None else parse_tile(forced),
        body["passes_in_a_row"],
        tuple([(seat, tuple(numbers)) for seat, numbers in body["passes"]]),
        tuple([(seat, count, tuple(numbers), after) for seat, count, numbers, after in body.get("draws", ())]),
    )
