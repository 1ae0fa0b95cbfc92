"""Pauses, the next round, the end of the match."""

from tests.table.tables import NOON, OUT, SEED, dealt, events_of, given, kinds, pausing, play

from contracts.table import (
    LeaveTable,
    NextRound,
    ReturnToSeat,
    SitDown,
)
from domino_rules import RoundDealt, RoundEnded, table
from domino_rules.ruleset import Ruleset
from domino_rules.table import Finished
from domino_rules.table.events import (
    PauseStarted,
    PlayerReady,
    RoundCommitted,
    SeedRevealed,
    TurnStarted,
)

# ---- rounds and the end


def test_a_rounds_end_reveals_its_seed_and_commits_to_the_next() -> None:
    _, ended, revealed, committed, pause = events_of(given(*dealt(OUT)).when(play("6-6", 1), by="ann", at=NOON))
    assert ended == RoundEnded("out", (0, 19), 1, 19, (19, 0), 1, False)
    assert revealed == SeedRevealed(1, SEED.hex())
    assert isinstance(committed, RoundCommitted)
    assert committed.round == 2
    assert committed.server_seed != SEED.hex()
    assert pause == PauseStarted(1, NOON, NOON + 8_000)


def test_the_pause_ends_after_eight_seconds() -> None:
    then = pausing().when_due()
    assert kinds(then) == ["round-dealt", "turn-started"]
    assert events_of(then)[-1] == TurnStarted(2, 1, "turn", NOON + 8_001, NOON + 28_001)


def test_the_pause_ends_when_all_people_say_so_and_bots_are_not_waited_for() -> None:
    three = pausing(("6-6", "6-5 4-4", "3-3"), bots=["cid"])
    three.when(NextRound(round=1), by="ann", at=NOON + 1).then(PlayerReady(1))
    one = three.after(NextRound(round=1, client_seed="new"), by="ann", at=NOON + 1)
    assert kinds(one.when(NextRound(round=1), by="bob", at=NOON + 2)) == ["player-ready", "round-dealt", "turn-started"]


def test_a_seed_given_in_the_pause_counts_for_the_next_deal() -> None:
    one = pausing().after(NextRound(round=1, client_seed="new"), by="ann", at=NOON + 1)
    deal = events_of(one.when(NextRound(round=1), by="bob", at=NOON + 2))[1]
    assert isinstance(deal, RoundDealt)
    assert deal.client_seeds == ("new", "")


def test_a_leaver_is_not_waited_for() -> None:
    one = pausing().after(NextRound(round=1), by="ann", at=NOON + 1)
    assert kinds(one.when(LeaveTable(), by="bob", at=NOON + 2)) == [
        "player-left",
        "autopilot-started",
        "round-dealt",
        "turn-started",
    ]


def test_saying_so_twice_changes_nothing_and_another_round_is_not_meant() -> None:
    one = pausing().after(NextRound(round=1), by="ann", at=NOON + 1)
    one.when(NextRound(round=1), by="ann", at=NOON + 2).nothing()
    one.when(NextRound(round=2), by="bob", at=NOON + 2).refused("wrong-turn")
    on = one.after(NextRound(round=1), by="bob", at=NOON + 3)
    on.when(NextRound(round=1), by="bob", at=NOON + 4).refused("stale-turn")


def test_in_the_pause_there_is_nothing_to_play() -> None:
    pausing().when(play("6-5@left", 1), by="bob", at=NOON).refused("round-over")
    pausing().when(play("6-5@left", 2), by="bob", at=NOON).refused("wrong-turn")


def test_the_match_ends_at_the_target_and_reveals_the_last_seed() -> None:
    finished = given(*dealt(OUT, ruleset=Ruleset.of("draw", 2, target=15)))
    then = finished.when(play("6-6", 1), by="ann", at=NOON)
    assert kinds(then) == ["tile-played", "round-ended", "match-ended", "seed-revealed"]
    over = finished.after(play("6-6", 1), by="ann", at=NOON)
    assert isinstance(over.state, Finished)
    assert table.deadline(over.state) is None
    for command in (play("6-5", 2), SitDown(), LeaveTable(), ReturnToSeat(), NextRound(round=1)):
        over.when(command, by="bob", at=NOON).refused("table-over")
