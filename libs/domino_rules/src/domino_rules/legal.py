"""What the seat to move may do: exactly one of plays, a draw or a pass."""

from __future__ import annotations

from collections.abc import Sequence

from domino_rules.actions import PLAYS, Action, Draw, Pass, PlayTile
from domino_rules.ends import END_INDEX
from domino_rules.layout import is_dead_end
from domino_rules.notation import play_text
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match, Round
from domino_rules.tiles import SHOWS, fitting, tiles_in


def legal_actions(match: Match) -> Sequence[Action]:
    """Plays (heavier tile first, then left, right, up, down), or one draw, or one pass; none when nobody is to move."""
    current = match.round
    if current is None or match.round_ended is not None or match.match_ended is not None:
        return []
    plays = legal_plays(current)
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
    seat, ends = current.to_move, current.layout.ends
    held, plays = current.had[seat - 1] & ~current.laid, PLAYS[seat]
    if not ends:
        openings = plays[END_INDEX["start"]]
        bound = current.forced_tile
        return [openings[tile] for tile in tiles_in(held)] if bound is None else [openings[bound]]
    legal: list[PlayTile] = []
    playable = held & fitting(ends)
    while playable:
        tile = playable.bit_length() - 1  # the heaviest
        playable ^= 1 << tile
        shows = SHOWS[tile]
        for place, number in enumerate(ends):
            if shows[number]:
                legal.append(plays[place][tile])
    return legal


def can_play(current: Round) -> bool:
    """Whether the seat to move holds a tile that fits somewhere."""
    ends = current.layout.ends
    return not ends or current.held(current.to_move) & fitting(ends) != 0


def can_draw(ruleset: Ruleset, current: Round) -> bool:
    """Whether a seat that cannot play may take a tile."""
    if not ruleset.drawing or len(current.boneyard) <= ruleset.boneyard_reserve:
        return False
    return not (ruleset.stop_on_dead_end and is_dead_end(current.layout))


def tiles_to_draw(ruleset: Ruleset, current: Round) -> int:
    """How many tiles one draw takes: up to the first that fits, or all that may be taken."""
    available = len(current.boneyard) - ruleset.boneyard_reserve
    fits = fitting(current.layout.ends)
    for taken, tile in enumerate(current.boneyard[:available], start=1):
        if fits >> tile & 1:
            return taken
    return available
