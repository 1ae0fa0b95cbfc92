"""What luck leaves possible: a bot that sees every hand and the order of the boneyard."""

from domino_bots import SeatView
from domino_bots.budget import Budget
from domino_bots.candidates import candidates_of
from domino_bots.certainty import best_when_known
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_rules import Match
from domino_rules.actions import Action


def ceiling_action(match: Match, view: SeatView, budget_ms: float) -> Action:
    """The play that a search of the one true world likes best, deeper and deeper until the budget ends."""
    knowledge = Knowledge(view)
    candidates = candidates_of(view, knowledge) if len(view.legal) > 1 else []
    if not candidates:
        return view.legal[0]
    game = Game(view.ruleset, view.scores, view.round_number)
    return best_when_known(game, _true_world(match, knowledge, game), candidates, Budget(budget_ms)).action


def _true_world(match: Match, knowledge: Knowledge, game: Game) -> Position:
    current = match.round
    assert current is not None
    return Position(
        [current.held(seat + 1) for seat in range(game.seats)],
        [knowledge.lacks(seat) for seat in range(game.seats)],
        list(current.boneyard[::-1]),
        knowledge.hidden | knowledge.hand,
        knowledge.line.layout,
        knowledge.seat,
        knowledge.passes_in_a_row,
        game.sides,
    )
