"""Why an action may not be taken: the first reason that applies, in rule-book order."""

from __future__ import annotations

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.layout import Ends, PlayEnd, places_for
from domino_rules.legal import can_draw, can_play
from domino_rules.notation import play_text, tile_name
from domino_rules.refusal import Reason, Refusal
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match, Round
from domino_rules.tiles import Tile


def refusal_of(match: Match, action: Action) -> Refusal | None:
    """The first reason against the action, or none when it may be taken."""
    unknown = _unknown(match.ruleset, action)
    if unknown is not None:
        return unknown
    if match.match_ended is not None:
        return Refusal(Reason.MATCH_OVER, expected="no action, the match has ended", got=_name(action))
    current = match.playing
    if current is None:
        return Refusal(Reason.ROUND_OVER, expected="no action before the next deal", got=_name(action))
    if action.seat != current.to_move:
        return Refusal(Reason.NOT_YOUR_TURN, expected=f"seat {current.to_move}", got=f"seat {action.seat}")
    match action:
        case PlayTile():
            return _bound_opening(current, action) or _against_play(current, action)
        case Draw() | Pass():
            return _bound_opening(current, action) or _against_idling(match.ruleset, current, action)
        case _:
            return None


def _unknown(ruleset: Ruleset, action: Action) -> Refusal | None:
    if not 1 <= action.seat <= ruleset.seats:
        expected = f"a seat from 1 to {ruleset.seats}"
        return Refusal(Reason.UNKNOWN_ACTION, expected=expected, got=f"seat {action.seat}")
    if isinstance(action, Timeout) and ruleset.turn_ms is None:
        return Refusal(Reason.UNKNOWN_ACTION, expected="an action of a ruleset without turn timer", got="timeout")
    if isinstance(action, Flag) and ruleset.clock_ms is None:
        return Refusal(Reason.UNKNOWN_ACTION, expected="an action of a ruleset without match clock", got="flag")
    return None


def _bound_opening(current: Round, action: PlayTile | Draw | Pass) -> Refusal | None:
    bound = current.forced_tile
    if bound is None or (isinstance(action, PlayTile) and action.tile == bound):
        return None
    return Refusal(Reason.MUST_OPEN_WITH, expected=f"the opening tile {tile_name(bound)}", got=_name(action))


def _against_play(current: Round, action: PlayTile) -> Refusal | None:
    tile, end, ends = action.tile, action.end, current.layout.ends
    if tile not in current.hands[action.seat - 1]:
        return Refusal(Reason.TILE_NOT_IN_HAND, expected="a tile of the own hand", got=tile_name(tile))
    places = places_for(current.layout, tile)
    if end is not None:
        return _against_end(ends, tile, end, places)
    if not places:
        numbers = ", ".join(f"{number} ({name})" for name, number in ends.items())
        return Refusal(Reason.DOES_NOT_FIT, expected=f"a tile with one of {numbers}", got=tile_name(tile))
    if len(places) > 1:
        expected = "one of " + ", ".join(play_text(tile, place) for place in places)
        return Refusal(Reason.END_NEEDED, expected=expected, got=tile_name(tile))
    return None


def _against_end(ends: Ends, tile: Tile, end: PlayEnd, places: list[PlayEnd]) -> Refusal | None:
    open_ends: list[PlayEnd] = [*ends] or ["start"]
    if end not in open_ends:
        return Refusal(Reason.END_NOT_OPEN, expected="one of " + ", ".join(open_ends), got=end)
    if end not in places:
        wanted = ", ".join(f"a {number} for {name}" for name, number in ends.items() if name == end)
        return Refusal(Reason.DOES_NOT_FIT, expected=wanted, got=tile_name(tile))
    return None


def _against_idling(ruleset: Ruleset, current: Round, action: Draw | Pass) -> Refusal | None:
    if can_play(current):
        return Refusal(Reason.MUST_PLAY, expected="a play, a tile of the hand fits", got=_name(action))
    drawable = can_draw(ruleset, current)
    if isinstance(action, Pass) and drawable:
        return Refusal(Reason.MUST_DRAW, expected="a draw, the boneyard has tiles", got="pass")
    if isinstance(action, Draw) and not drawable:
        return Refusal(Reason.CANNOT_DRAW, expected="a pass, nothing may be drawn", got="draw")
    return None


def _name(action: Action) -> str:
    return play_text(action.tile, action.end) if isinstance(action, PlayTile) else type(action).__name__.lower()
