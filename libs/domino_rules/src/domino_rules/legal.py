"""What the seat to move may do: exactly one of plays, a draw or a pass."""

from __future__ import annotations

from domino_rules.actions import Action, Draw, Pass, PlayTile
from domino_rules.layout import is_dead_end, places_for
from domino_rules.notation import play_text
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match, Round
from domino_rules.tiles import has_number, heaviest_first


def legal_actions(match: Match) -> list[Action]:
    """Plays (heavier tile first, then left, right, up, down), or one draw, or one pass; none when nobody is to move."""
    current = match.playing
    if current is None:
        return []
    plays: list[Action] = list(legal_plays(current))
    if plays:
        return plays
    return [Draw(current.to_move) if can_draw(match.ruleset, current) else Pass(current.to_move)]


def legal_texts(match: Match) -> list[str]:
    """The legal actions as they are written, without the seat."""
    return [
        play_text(action.tile, action.end) if isinstance(action, PlayTile) else type(action).__name__.lower()
        for action in legal_actions(match)
    ]


def legal_plays(current: Round) -> list[PlayTile]:
    """The plays of the seat to move; a bound opening is the only one."""
    seat = current.to_move
    tiles = current.hands[seat - 1] if current.forced_tile is None else (current.forced_tile,)
    return [PlayTile(seat, tile, end) for tile in heaviest_first(tiles) for end in places_for(current.layout, tile)]


def can_play(current: Round) -> bool:
    """Whether the seat to move holds a tile that fits somewhere."""
    if not current.layout.plays:
        return True
    numbers = current.layout.ends.values()
    return any(has_number(tile, number) for tile in current.hands[current.to_move - 1] for number in numbers)


def can_draw(ruleset: Ruleset, current: Round) -> bool:
    """Whether a seat that cannot play may take a tile."""
    if not ruleset.drawing or len(current.boneyard) <= ruleset.boneyard_reserve:
        return False
    return not (ruleset.stop_on_dead_end and is_dead_end(current.layout))


def tiles_to_draw(ruleset: Ruleset, current: Round) -> int:
    """How many tiles one draw takes: up to the first that fits, or all that may be taken."""
    available = len(current.boneyard) - ruleset.boneyard_reserve
    numbers = current.layout.ends.values()
    for taken in range(available):
        if any(has_number(current.boneyard[taken], number) for number in numbers):
            return taken + 1
    return available
