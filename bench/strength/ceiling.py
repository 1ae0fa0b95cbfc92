"""What luck leaves possible: a bot that sees every hand and the order of the boneyard."""

from domino_bots.search import Search

from domino_bots import SeatView
from domino_bots.budget import Budget
from domino_bots.chances import chance
from domino_bots.expert import candidates_of, played
from domino_bots.game import Game, Position
from domino_bots.knowledge import Knowledge
from domino_bots.tile_sets import set_of
from domino_rules import Match
from domino_rules.actions import Action

DEPTHS = (2, 4, 6, 9, 12, 40)


def ceiling_action(match: Match, view: SeatView, budget_ms: float) -> Action:
    """The play that a search of the one true world likes best, deeper and deeper until the budget ends."""
    knowledge = Knowledge(view)
    candidates = candidates_of(view, knowledge) if len(view.legal) > 1 else []
    if not candidates:
        return view.legal[0]
    game = Game(view.ruleset, view.scores, view.round_number)
    side, world, budget = game.side_of[knowledge.seat], _true_world(match, knowledge, game), Budget(budget_ms)
    for depth in DEPTHS:
        search = Search(game, side, budget.plies_left)
        best = -1.0
        for candidate in candidates:
            position, plies = played(game, world, candidate)
            going_on = plies > 0
            value = search.value(position, depth, best, 1.0) if going_on else chance(game, side, position.gains)
            candidate.total = value
            best = max(best, value)
        if not budget.spend(search.plies + 1):
            break
        candidates.sort(key=lambda candidate: -candidate.total)
        if search.is_exact:
            break
    return candidates[0].action


def _true_world(match: Match, knowledge: Knowledge, game: Game) -> Position:
    current = match.round
    assert current is not None
    return Position(
        [set_of(hand) for hand in current.hands],
        [knowledge.lacks(seat) for seat in range(game.seats)],
        list(current.boneyard[::-1]),
        knowledge.hidden | knowledge.hand,
        knowledge.line.layout,
        knowledge.seat,
        knowledge.passes_in_a_row,
        game.sides,
    )
