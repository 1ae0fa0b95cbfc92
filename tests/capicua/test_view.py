import pytest
from tests.capicua.matches import Outcome, match


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("block", 3, 50))


def test_views_of_whole_matches_are_understood(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        for seat in (None, 1, 2, 3):
            view = outcome.view(seat)
            assert (view.version, view.you) == (outcome.version, seat)


def test_exactly_the_seat_to_move_has_its_turn(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        turns = [seat for seat in (1, 2, 3) if outcome.view(seat).my_turn]
        assert turns == [outcome.view(None).to_move] if turns else outcome.view(None).to_move is None


def test_a_spectator_never_has_a_turn_or_a_hand(outcomes: list[Outcome]) -> None:
    assert not any(outcome.view(None).my_turn or outcome.view(None).hand for outcome in outcomes)


def test_the_last_view_is_over_and_has_the_result(outcomes: list[Outcome]) -> None:
    assert [outcome.view(1).over for outcome in outcomes] == [False] * (len(outcomes) - 1) + [True]
    result = outcomes[-1].view(1).result
    assert result is not None
    assert max(result.scores) >= 50


@pytest.mark.parametrize("region", ["room-abc234", "private"])
def test_at_the_table_of_a_private_room_no_seat_is_the_host_s(region: str) -> None:
    pausing = next(o.view(2) for o in match("party", 2, 50) if o.view(2).status == "pausing")
    people = tuple(seat.model_copy(update={"bot": False}) for seat in pausing.seats)
    assert pausing.model_copy(update={"seats": people}).host == 1
    assert pausing.model_copy(update={"seats": people, "region": region}).host is None
