"""A view from a match and a view from a table's JSON are the same."""

from collections.abc import Iterator

import pytest
from tests.domino_rules.table.lives import KINDS, Kind, life_of

from domino_bots import SeatView, Strength, choose
from domino_rules.table import TableState, view_for


def played_on(kind: Kind) -> Iterator[tuple[TableState, int]]:
    """The states of a table in which a seat is to move, and that seat."""
    for step in life_of(kind, seed=3):
        if step.after is not None and step.after.match.playing is not None:
            yield step.after, step.after.match.playing.to_move


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_table_gives_its_seat_the_view_that_its_match_gives(kind: Kind) -> None:
    for state, seat in played_on(kind):
        view = SeatView.from_json(view_for(state, seat))
        assert view == SeatView.of(state.match, seat)
        assert choose(view, Strength.NORMAL, seed=0) in view.legal


def test_a_view_is_for_the_seat_to_move_only() -> None:
    state, seat = next(played_on(KINDS["draw-2"]))
    for other in (3 - seat, None):
        with pytest.raises(ValueError, match="expected the view of the seat to move"):
            SeatView.from_json(view_for(state, other))
    with pytest.raises(ValueError, match="expected the seat to move"):
        SeatView.of(state.match, 3 - seat)


def test_a_view_without_draws_is_read_too() -> None:
    state, seat = next(played_on(KINDS["draw-2"]))
    seen = view_for(state, seat)
    del seen["draws"]
    assert SeatView.from_json(seen).draws == ()
