"""The house's bots at the real lobby and tables."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import pytest

from bots.house_bot import BotState, House
from bots.roster import Roster
from bus.clock import SystemClock
from bus.health import Progress
from capicua import Client, Refused, Strength, TableView, Thinker
from capicua.player import play_match

WAIT_SECONDS = 60


@contextlib.asynccontextmanager
async def standing(house: House, count: int, *, stop: bool = True) -> AsyncIterator[Roster]:
    """A running roster; without `stop` it ends as a killed process does."""
    roster = Roster(house, count, Random(1), Progress(SystemClock()))
    running = asyncio.create_task(roster.run())
    try:
        await until(lambda: states(roster).count(BotState.STANDING_BY) == count)
        yield roster
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        if stop:
            await roster.stop()
        else:
            await roster.end()


def states(roster: Roster) -> list[BotState]:
    return [bot.state for bot in roster.bots]


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not so():  # noqa: ASYNC110 - what is waited for happens at a server
            await asyncio.sleep(0.01)


async def stands_by(house: House, number: int) -> bool:
    """Whether the lobby has this bot on its list; it is on it no more afterwards."""
    async with Client(house.url) as client:
        await client.guest(bot=True, house_key=house.key, house_bot=number)
        try:
            await client.queue("block", 4, 50)
        except Refused as refused:
            return refused.code == "already-queued"
        finally:
            await client.leave_queue()
    return False


async def test_as_many_as_wanted_stand_by_and_none_when_the_process_ends(house: House) -> None:
    async with standing(house, 2) as roster:
        assert roster.ready
        assert sorted(bot.number for bot in roster.bots) == [1, 2]
    assert [await stands_by(house, number) for number in (1, 2, 3)] == [False, False, False]


async def test_one_that_is_given_a_table_plays_it_and_another_takes_its_place(house: House) -> None:
    async with standing(house, 1) as roster, Client(house.url) as client:
        await client.queue("draw", 2, 50, "fill")
        table = await client.next_table()
        await until(lambda: sorted(state.value for state in states(roster)) == ["playing", "standing-by"])
        assert sorted(bot.number for bot in roster.bots) == [1, 2]
        last = await play_match(table)
        assert last.result is not None
        accounts = [(seat.account, seat.bot, seat.autopilot) for seat in last.seats if seat.seat != last.you]
        assert accounts == [("house-eu-1", True, False)]
        await until(lambda: states(roster) == [BotState.STANDING_BY])
        assert roster.ready


async def test_house_bots_play_with_four_ends_and_in_pairs_as_strongly_as_their_seats_say(house: House) -> None:
    async with standing(house, 4):
        fives, party = await asyncio.gather(
            against_bots(house, Strength.EXPERT, preset="all-fives", spinner=True),
            against_bots(house, Strength.BEGINNER, preset="party", seats=4, pairs=True),
        )
    for last, strength in ((fives, "expert"), (party, "beginner")):
        assert last.result is not None
        others = [seat for seat in last.seats if seat.seat != last.you]
        assert all((seat.bot, seat.strength, seat.autopilot) == (True, strength, False) for seat in others)


async def against_bots(house: House, strength: Strength, **options: Any) -> TableView:
    """The last view of a match against house bots."""
    async with Client(house.url) as client:
        await client.queue(**options, bots="fill", strength=strength)
        return await play_match(await client.next_table())


async def test_a_new_process_takes_back_the_seats_and_the_list_of_a_killed_one(house: House) -> None:
    async with Client(house.url) as client:
        async with standing(house, 3, stop=False) as roster:
            await client.queue("block", 4, 50, "fill")
            table = await client.next_table()
            await until(lambda: states(roster).count(BotState.PLAYING) == 3)
            await until(lambda: states(roster).count(BotState.STANDING_BY) == 3)
        playing = asyncio.create_task(play_match(table))
        async with standing(house, 2):
            last = await playing
            assert last.result is not None
            assert not any(seat.autopilot for seat in last.seats)
        assert not any([await stands_by(house, number) for number in range(1, 17)])


async def test_without_the_houses_key_there_are_no_bots(house: House) -> None:
    roster = Roster(House(house.url, "not the key", 0, Thinker()), 1, Random(1), Progress(SystemClock()))
    with pytest.raises(Refused, match="wrong-house-key"):
        await roster.run()
    assert not roster.ready
