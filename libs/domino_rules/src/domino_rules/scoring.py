"""Points of a play, of a round's end, and the end of a match."""

from __future__ import annotations

from typing import Literal

from domino_rules.events import MatchEnded, RoundEnded, Scores
from domino_rules.opening import opening_after
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.state import Match, Round
from domino_rules.tiles import PIPS


def nearest_five(pips: int) -> int:
    """1–2 → 0, 3–7 → 5, 8–12 → 10, 13–17 → 15."""
    return 5 * ((pips + 2) // 5)


def with_points(ruleset: Ruleset, scores: Scores, seat: Seat, points: int) -> Scores:
    """The scores with the seat's side richer by the points."""
    side = ruleset.side_of(seat)
    return (*scores[:side], scores[side] + points, *scores[side + 1 :])


def round_end_out(ruleset: Ruleset, scores: Scores, current: Round, seat: Seat) -> RoundEnded:
    """The seat laid its last tile: it scores the pips of all opposing hands."""
    pips = _pips_left(current)
    side = ruleset.side_of(seat)
    points = sum([count for other, count in enumerate(pips, start=1) if ruleset.side_of(other) != side])
    return _round_ended(ruleset, scores, current, "out", pips, seat, _counted(ruleset, points))


def round_end_blocked(ruleset: Ruleset, scores: Scores, current: Round) -> RoundEnded:
    """Nobody can move: the one side with fewest pips scores, a shared lowest means that nobody does."""
    pips = _pips_left(current)
    by_side = [sum([pips[seat - 1] for seat in side]) for side in ruleset.sides]
    lowest = min(by_side)
    if by_side.count(lowest) > 1:
        return _round_ended(ruleset, scores, current, "blocked", pips, None, 0)
    winner = _opening_partner(ruleset, current, pips, ruleset.sides[by_side.index(lowest)])
    points = _blocked_points(ruleset, own=lowest, others=sum(by_side) - lowest)
    return _round_ended(ruleset, scores, current, "blocked", pips, winner, points)


def match_end_at_target(ruleset: Ruleset, scores: Scores) -> MatchEnded | None:
    """Whether the match ends because a side has reached the target."""
    best = max(scores)
    return MatchEnded("target", ruleset.sides[scores.index(best)], scores) if best >= ruleset.target else None


def match_end_after_round(ruleset: Ruleset, round_number: int, scores: Scores) -> MatchEnded | None:
    """Whether the match ends with this round: the target goes before the cap on rounds."""
    at_target = match_end_at_target(ruleset, scores)
    if at_target is not None or ruleset.round_cap is None or round_number < ruleset.round_cap:
        return at_target
    best = max(scores)
    if scores.count(best) == 1:
        return MatchEnded("round-cap", ruleset.sides[scores.index(best)], scores)
    return MatchEnded("round-cap", (), scores) if ruleset.tie_at_cap == "drawn" else None


def flag_end(match: Match, seat: Seat) -> MatchEnded:
    """The seat's clock ran out: everybody else wins, whatever the score."""
    ruleset = match.ruleset
    lost = ruleset.sides[ruleset.side_of(seat)]
    winners = tuple(other for other in range(1, ruleset.seats + 1) if other not in lost)
    return MatchEnded("clock", winners, match.scores)


def _pips_left(current: Round) -> tuple[int, ...]:
    """By seat: the pips of its hand."""
    laid = current.laid
    return tuple([sum([PIPS[tile] for tile in dealt if not laid >> tile & 1]) for dealt in current.dealt])


def _blocked_points(ruleset: Ruleset, own: int, others: int) -> int:
    # A pair scores both opposing hands whole, whatever the preset does with single seats.
    points = others if ruleset.pairs or ruleset.blocked == "opponents" else others - own
    return _counted(ruleset, points)


def _counted(ruleset: Ruleset, points: int) -> int:
    return nearest_five(points) if ruleset.fives else points


def _opening_partner(ruleset: Ruleset, current: Round, pips: tuple[int, ...], side: tuple[Seat, ...]) -> Seat:
    """The partner with fewer pips; if equal, the one whose turn comes first after the last tile's seat."""
    last = current.layout.plays[-1].seat
    return min(side, key=lambda seat: (pips[seat - 1], (seat - last - 1) % ruleset.seats))


def _round_ended(
    ruleset: Ruleset,
    before: Scores,
    current: Round,
    reason: Literal["out", "blocked"],
    pips: tuple[int, ...],
    winner: Seat | None,
    points: int,
) -> RoundEnded:
    scores = before if winner is None else with_points(ruleset, before, winner, points)
    coming = opening_after(ruleset, winner, current.opener)
    return RoundEnded(reason, pips, winner, points, scores, coming.opener, coming.forced)
