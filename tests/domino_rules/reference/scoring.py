"""Who wins a round, how many points that is, who opens the next one, and whether the match ends."""

from typing import NamedTuple

from .rules import Rules


class RoundResult(NamedTuple):
    winner: int | None
    points: int
    next_opener: int | None
    next_forced: bool


def nearest_five(number: int) -> int:
    """1-2 is 0, 3-7 is 5, 8-12 is 10, and so on."""
    remainder = number % 5
    return number - remainder if remainder < 3 else number - remainder + 5


def seats_from(first: int, seats: int) -> list[int]:
    """All seats in playing order, `first` leading."""
    order = list(range(1, seats + 1))
    return order[first - 1 :] + order[: first - 1]


def seat_after(seat: int, seats: int) -> int:
    return 1 if seat == seats else seat + 1


def with_next_opener(rules: Rules, winner: int | None, points: int, opener: int) -> RoundResult:
    if rules.preset == "duel-draw":
        return RoundResult(winner, points, None, True)
    if winner is not None:
        return RoundResult(winner, points, winner, False)
    if rules.preset == "party":
        return RoundResult(winner, points, seat_after(opener, rules.seats), False)
    return RoundResult(winner, points, None, rules.preset in ("draw", "block"))


def gone_out(rules: Rules, pips: list[int], seat: int, opener: int) -> RoundResult:
    opposing = sum(pips[other - 1] for side in rules.sides if seat not in side for other in side)
    points = nearest_five(opposing) if rules.preset == "all-fives" else opposing
    return with_next_opener(rules, seat, points, opener)


def blocked(rules: Rules, pips: list[int], last_player: int, opener: int) -> RoundResult:
    totals = [sum(pips[seat - 1] for seat in side) for side in rules.sides]
    lowest = min(totals)
    if totals.count(lowest) > 1:
        return with_next_opener(rules, None, 0, opener)
    winners = rules.sides[totals.index(lowest)]
    after_the_last = seats_from(seat_after(last_player, rules.seats), rules.seats)
    winner = min(winners, key=lambda seat: (pips[seat - 1], after_the_last.index(seat)))
    points = sum(totals) - lowest
    if rules.preset in ("draw", "block") and not rules.pairs:
        points -= lowest
    if rules.preset == "all-fives":
        points = nearest_five(points - lowest)
    return with_next_opener(rules, winner, points, opener)


def match_end(rules: Rules, scores: list[int], round_number: int) -> tuple[str, list[int]] | None:
    """The reason and the winners when the match ends with this round, else None."""
    best = max(scores)
    leaders = [side for side, score in zip(rules.sides, scores, strict=True) if score == best]
    if best >= rules.target:
        return "target", leaders[0]
    if rules.round_cap is None or round_number < rules.round_cap:
        return None
    if len(leaders) == 1:
        return "round-cap", leaders[0]
    return ("round-cap", []) if rules.tie_at_cap == "drawn" else None
