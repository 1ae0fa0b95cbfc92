"""The loop of every bot, against a server in a test's hands."""

import asyncio

import pytest
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.scripted_server import ScriptedServer

from capicua import Client, TableView
from capicua.player import play_match, says_ready
from contracts.api import Answer


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """A match in which seat 1 is played by its client and seat 2 by somebody else."""
    return list(match("draw", 2, 50, seed="player"))


async def serve_match(server: ScriptedServer, outcomes: list[Outcome], refuse: bool = False) -> list[str]:
    """Sends every view in order; answers each command before it goes on. The kinds of the commands."""
    commands: list[str] = []

    async def answer_one() -> None:
        command = await server.next("command")
        commands.append(command["command"]["type"])
        no = {"code": "stale-turn", "message": "no"} if refuse else {}
        await server.send(Answer(id=command["id"], table_id=TABLE_ID, version=0, **no))

    await server.next("watch")
    await server.send(outcomes[0].message(1).model_copy(update={"from_version": 0}))
    await answer_one()
    for outcome in outcomes[1:]:
        await server.send(outcome.message(1))
        if outcome.view(1).my_turn or says_ready(outcome.view(1)):
            await answer_one()
    return commands


async def played(
    server: ScriptedServer, outcomes: list[Outcome], *, refuse: bool = False
) -> tuple[list[str], TableView]:
    async with Client(server.url, token="t") as client:
        table = await client.next_table()
        commands, last = await asyncio.gather(serve_match(server, outcomes, refuse), play_match(table))
        return commands, last


async def test_it_sits_plays_each_turn_once_and_returns_the_last_view(
    server: ScriptedServer, outcomes: list[Outcome]
) -> None:
    commands, last = await played(server, outcomes)
    turns = [outcome for outcome in outcomes if outcome.view(1).my_turn]
    assert commands[0] == "sit-down"
    assert commands.count("play-tile") == len(turns)
    assert last.result == outcomes[-1].view(1).result


async def test_refused_commands_are_passed_over(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    _, last = await played(server, outcomes, refuse=True)
    assert last.over


async def test_after_its_last_turn_it_only_watches(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    async with Client(server.url, token="t") as client:
        table = await client.next_table()
        playing = asyncio.create_task(play_match(table, turns_max=0))
        await server.next("watch")
        await server.send(outcomes[0].message(1).model_copy(update={"from_version": 0}))
        sit = await server.next("command")
        await server.send(Answer(id=sit["id"], table_id=TABLE_ID, version=0))
        for outcome in outcomes[1:]:
            await server.send(outcome.message(1))
        assert (await playing).over
        assert server.nothing_more


def pausing(outcomes: list[Outcome], seat: int) -> TableView:
    return next(outcome.view(seat) for outcome in outcomes if outcome.view(seat).status == "pausing")


def with_seats(view: TableView, **changes: dict[str, bool]) -> TableView:
    """`seat1={"bot": False}` and so on; nobody is on autopilot unless that is said."""
    seats = [seat.model_copy(update={"autopilot": False} | changes.get(f"seat{seat.seat}", {})) for seat in view.seats]
    return view.model_copy(update={"seats": tuple(seats)})


def test_among_bots_the_first_that_is_awake_asks_for_the_next_round(outcomes: list[Outcome]) -> None:
    first, second = pausing(outcomes, 1), pausing(outcomes, 2)
    assert says_ready(with_seats(first))
    assert not says_ready(with_seats(second))
    assert says_ready(with_seats(second, seat1={"autopilot": True}))


def test_at_a_party_the_host_alone_asks_while_there_is_one() -> None:
    party = list(match("party", 3, 50))
    people = {f"seat{seat}": {"bot": False} for seat in (1, 2, 3)}
    first, second = pausing(party, 1), pausing(party, 2)
    assert says_ready(with_seats(first, **people))
    assert not says_ready(with_seats(second, **people))
    assert not says_ready(with_seats(first, **people | {"seat1": {"bot": False, "ready": True}}))
    for gone in ({"bot": False, "left": True}, {"bot": True}, {"bot": False, "seated": False}):
        assert says_ready(with_seats(second, **people | {"seat1": gone}))


def test_with_people_at_the_table_only_they_ask(outcomes: list[Outcome]) -> None:
    first, second = pausing(outcomes, 1), pausing(outcomes, 2)
    assert says_ready(with_seats(second, seat2={"bot": False}))
    assert not says_ready(with_seats(first, seat2={"bot": False}))
    assert not says_ready(with_seats(second, seat2={"bot": False, "ready": True}))
    assert says_ready(with_seats(first, seat2={"bot": False, "left": True}))
