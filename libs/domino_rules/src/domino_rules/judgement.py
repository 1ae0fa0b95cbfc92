"""Why an action may not be taken: the first reason that applies, in rule-book order."""

from __future__ import annotations

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.ends import END_NAMES, PlayEnd, ends_to_json
from domino_rules.layout import Layout, places_for
from domino_rules.legal import can_draw, can_play
from domino_rules.notation import play_text, tile_name
from domino_rules.refusal import Reason, Refusal
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match, Round
from domino_rules.tiles import has_number


def refusal_of(match: Match, action: Action) -> Refusal | None:
    """The first reason against the action, or none when it may be taken."""
    if not 1 <= action.seat <= match.ruleset.seats:
        expected = f"a seat from 1 to {match.ruleset.seats}"
        return Refusal(Reason.UNKNOWN_ACTION, expected=expected, got=f"seat {action.seat}")
    if not isinstance(action, PlayTile) and not _is_known(match.ruleset, action):
        timer = "turn timer" if isinstance(action, Timeout) else "match clock"
        return Refusal(Reason.UNKNOWN_ACTION, expected=f"an action of a ruleset without {timer}", got=_name(action))
    if match.match_ended is not None:
        return Refusal(Reason.MATCH_OVER, expected="no action, the match has ended", got=_name(action))
    current = match.round
    if current is None or match.round_ended is not None:
        return Refusal(Reason.ROUND_OVER, expected="no action before the next deal", got=_name(action))
    if action.seat != current.to_move:
        return Refusal(Reason.NOT_YOUR_TURN, expected=f"seat {current.to_move}", got=f"seat {action.seat}")
    if isinstance(action, PlayTile):
        return _against_play(current, action)
    if isinstance(action, (Draw, Pass)):
        return _against_idling(match.ruleset, current, action)
    return None


def _is_known(ruleset: Ruleset, action: Draw | Pass | Timeout | Flag) -> bool:
    match action:
        case Timeout():
            return ruleset.turn_ms is not None
        case Flag():
            return ruleset.clock_ms is not None
        case _:
            return True


def _against_play(current: Round, action: PlayTile) -> Refusal | None:
    tile, end, layout = action.tile, action.end, current.layout
    if current.forced_tile is not None and tile != current.forced_tile:
        return _must_open(current.forced_tile, action)
    if not current.held(action.seat) >> tile & 1:
        return Refusal(Reason.TILE_NOT_IN_HAND, expected="a tile of the own hand", got=tile_name(tile))
    if end is None:
        return _against_unnamed_end(layout, action)
    if not layout.ends:
        return None if end == "start" else _end_not_open(layout, end)
    place = action.place
    if place >= len(layout.ends):
        return _end_not_open(layout, end)
    if not has_number(tile, layout.ends[place]):
        return Refusal(Reason.DOES_NOT_FIT, expected=f"a {layout.ends[place]} for {end}", got=tile_name(tile))
    return None


def _against_unnamed_end(layout: Layout, action: PlayTile) -> Refusal | None:
    tile, places = action.tile, places_for(layout, action.tile)
    if not places:
        numbers = ", ".join([f"{number} ({end})" for end, number in ends_to_json(layout.ends).items()])
        return Refusal(Reason.DOES_NOT_FIT, expected=f"a tile with one of {numbers}", got=tile_name(tile))
    if len(places) > 1:
        expected = "one of " + ", ".join([play_text(tile, place) for place in places])
        return Refusal(Reason.END_NEEDED, expected=expected, got=tile_name(tile))
    return None


def _end_not_open(layout: Layout, end: PlayEnd) -> Refusal:
    names: tuple[str, ...] = END_NAMES[: len(layout.ends)] or ("start",)
    return Refusal(Reason.END_NOT_OPEN, expected="one of " + ", ".join(names), got=end)


def _against_idling(ruleset: Ruleset, current: Round, action: Draw | Pass) -> Refusal | None:
    if current.forced_tile is not None:
        return _must_open(current.forced_tile, action)
    if can_play(current):
        return Refusal(Reason.MUST_PLAY, expected="a play, a tile of the hand fits", got=_name(action))
    drawable = can_draw(ruleset, current)
    if isinstance(action, Pass) and drawable:
        return Refusal(Reason.MUST_DRAW, expected="a draw, the boneyard has tiles", got="pass")
    if isinstance(action, Draw) and not drawable:
        return Refusal(Reason.CANNOT_DRAW, expected="a pass, nothing may be drawn", got="draw")
    return None


def _must_open(bound: int, action: Action) -> Refusal:
    return Refusal(Reason.MUST_OPEN_WITH, expected=f"the opening tile {tile_name(bound)}", got=_name(action))


def _name(action: Action) -> str:
    return play_text(action.tile, action.end) if isinstance(action, PlayTile) else type(action).__name__.lower()
