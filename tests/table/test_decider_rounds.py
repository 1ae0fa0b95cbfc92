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


PARTY = Ruleset.of("party", 3)
THREE = ("6-6", "6-5 4-4", "3-3")


def test_at_a_party_the_pause_ends_after_fifteen_seconds() -> None:
    party = pausing(THREE, ruleset=PARTY)
    assert party.state is not None
    assert table.deadline(party.state) == ("pause", "pause-1", NOON, NOON + 15_000)
    assert events_of(party.when_due())[-1] == TurnStarted(2, 1, "turn", NOON + 15_001, NOON + 30_001)


def test_at_a_party_the_host_alone_ends_the_pause() -> None:
    party = pausing(THREE, ruleset=PARTY)
    assert kinds(party.when(NextRound(round=1), by="ann", at=NOON + 1)) == [
        "player-ready",
        "round-dealt",
        "turn-started",
    ]
    for guest, seat in (("bob", 2), ("cid", 3)):
        party.when(NextRound(round=1), by=guest, at=NOON + 1).then(PlayerReady(seat))
        party = party.after(NextRound(round=1), by=guest, at=NOON + 1)
    assert kinds(party.when(NextRound(round=1), by="ann", at=NOON + 2))[1] == "round-dealt"


def test_a_partys_host_who_leaves_leaves_it_to_all_the_others() -> None:
    party = pausing(THREE, ruleset=PARTY).after(LeaveTable(), by="ann", at=NOON + 1)
    party.when(NextRound(round=1), by="bob", at=NOON + 2).then(PlayerReady(2))
    both = party.after(NextRound(round=1), by="bob", at=NOON + 2)
    assert kinds(both.when(NextRound(round=1), by="cid", at=NOON + 3))[1] == "round-dealt"
    back = both.after(ReturnToSeat(), by="ann", at=NOON + 3)
    back.when(NextRound(round=1), by="cid", at=NOON + 4).then(PlayerReady(3))
    ready = pausing(THREE, ruleset=PARTY).after(NextRound(round=1), by="bob", at=NOON + 1)
    ready = ready.after(NextRound(round=1), by="cid", at=NOON + 1)
    assert kinds(ready.when(LeaveTable(), by="ann", at=NOON + 2))[-2:] == ["round-dealt", "turn-started"]


def test_a_bot_is_no_host() -> None:
    party = pausing(THREE, ruleset=PARTY, bots=["ann"])
    party.when(NextRound(round=1), by="ann", at=NOON + 1).then(PlayerReady(1))
    one = party.after(NextRound(round=1), by="bob", at=NOON + 1)
    assert kinds(one.when(NextRound(round=1), by="cid", at=NOON + 2))[1] == "round-dealt"


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
