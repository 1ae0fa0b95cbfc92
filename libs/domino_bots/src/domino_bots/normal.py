"""The normal strength: the play with the highest written score. See docs/normal.md."""

from __future__ import annotations

from domino_bots.game import Game
from domino_bots.knowledge import Knowledge
from domino_bots.layouts import FITS, FIVES, NUMBERS
from domino_bots.seat_view import SeatView
from domino_rules.actions import Action, PlayTile
from domino_rules.tiles import IS_DOUBLE, PIPS

PIP = 2
DOUBLE = 12
KEPT_OPEN = 5
POINT = 4
OPPONENT_LACKS = 20
OPPONENT_LACKS_ALL = 20
PARTNER_LACKS = 10


def normal_action(view: SeatView) -> Action:
    """The legal action with the highest score; the first of equals."""
    if len(view.legal) == 1:
        return view.legal[0]
    knowledge = Knowledge(view)
    game = Game(view.ruleset, view.scores, view.round_number)
    return max(view.legal, key=lambda action: score(game, knowledge, action))


def score(game: Game, knowledge: Knowledge, action: Action) -> int:
    """How good a play looks; draws and passes are never a choice."""
    if not isinstance(action, PlayTile) or action.end is None:
        return 0
    layout = knowledge.line.after(action.tile, action.end)
    rest = knowledge.hand & ~(1 << action.tile)
    worth: int = (
        PIP * PIPS[action.tile] + DOUBLE * IS_DOUBLE[action.tile] + KEPT_OPEN * (rest & FITS[layout]).bit_count()
    )
    if game.fives:
        worth += POINT * FIVES[layout]
    return worth + _of_others(game, knowledge, NUMBERS[layout])


def _of_others(game: Game, knowledge: Knowledge, numbers: int) -> int:
    """Open numbers that the next opponent lacks are good, those that a partner lacks are bad."""
    lacked = knowledge.lacks((knowledge.seat + 1) % game.seats)
    worth = OPPONENT_LACKS * (numbers & lacked).bit_count()
    if not numbers & ~lacked:
        worth += OPPONENT_LACKS_ALL
    if game.sides < game.seats:
        partner = (knowledge.seat + 2) % game.seats
        worth -= PARTNER_LACKS * (numbers & knowledge.lacks(partner)).bit_count()
    return worth
