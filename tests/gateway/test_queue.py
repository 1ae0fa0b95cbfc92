import pytest

from contracts.api import QueueRequest
from contracts.message import Message
from contracts.region import AcceptBots, JoinQueue, LeaveQueue, LeaveSeat, OfferTable, Pool, StandBy, TakeSeat
from gateway.answers import Answers
from gateway.commands import Commands
from gateway.identity import Identity
from gateway.problems import ProblemError
from gateway.queue import Lobby, ticket

POOL = Pool(preset="draw", seats=2, target=100)


def test_a_ticket_has_all_that_was_asked_for() -> None:
    wanted = QueueRequest(
        id="a", preset="party", seats=4, target=150, pairs=True, drawing=True, bots="fill", strength="expert"
    )
    pool = Pool(preset="party", seats=4, target=150, pairs=True, drawing=True)
    assert ticket(wanted, Identity("ann", "eu")) == JoinQueue(pool=pool, bots="fill", strength="expert")
    spinner = QueueRequest(id="a", preset="all-fives", spinner=True)
    assert ticket(spinner, Identity("ann", "eu")).pool == Pool(preset="all-fives", seats=2, target=100, spinner=True)


def test_a_ticket_has_the_time_that_was_asked_for() -> None:
    party = QueueRequest(id="a", preset="party", turn_seconds=30)
    assert ticket(party, Identity("ann", "eu")).pool.turn_seconds == 30
    duel = QueueRequest(id="a", preset="duel-draw", clock_minutes=5)
    assert ticket(duel, Identity("ann", "eu")).pool.clock_minutes == 5


def test_without_a_word_a_ticket_is_for_a_plain_table_and_wants_no_bots() -> None:
    assert ticket(QueueRequest(id="a"), Identity("ann", "eu")) == JoinQueue(pool=POOL)


def test_the_ticket_of_a_program_says_so() -> None:
    assert ticket(QueueRequest(id="a"), Identity("robot", "eu", bot=True)).bot


def test_a_ticket_says_with_whom_it_waits_and_how_far_ratings_may_be_apart() -> None:
    wanted = QueueRequest(id="a", rated=True, window=150, group="friends1", group_size=2)
    pool = Pool(preset="draw", seats=2, target=100, rated=True)
    expected = JoinQueue(pool=pool, window=150, group="friends1", group_size=2)
    assert ticket(wanted, Identity("ann", "eu")) == expected


@pytest.mark.parametrize(
    "body",
    [
        JoinQueue(pool=POOL),
        AcceptBots(),
        LeaveQueue(),
        OfferTable(pool=POOL),
        TakeSeat(table_id="t1"),
        LeaveSeat(),
        StandBy(),
    ],
    ids=lambda body: body.type,
)
async def test_an_account_of_another_region_asks_nothing_of_this_lobby(body: Message) -> None:
    lobby = Lobby(Commands({}, Answers()), "eu")
    with pytest.raises(ProblemError) as refused:
        await lobby.ask(Identity("wes", "us", house=True), "a", None, body)
    problem = refused.value.problem
    assert (problem.status, problem.code) == (403, "other-region")
    assert (problem.expected, problem.got) == ("an account of eu", "one of us")
