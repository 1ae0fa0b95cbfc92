"""A person's lines at a table, against a server in a test's hands."""

import asyncio
import io
from typing import Any

import pytest
from rich.console import Console
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.scripted_server import ScriptedServer

from capicua import Client, TableView
from capicua.terminal.display import Display
from capicua.terminal.keyboard import Keyboard
from capicua.terminal.person import Person
from capicua.terminal.prompts import END_HELP, TAKE_BACK, TOO_LATE
from capicua.terminal.table_talk import TableTalk
from contracts.api import Answer


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 2, 50))


class Sitting:
    """A person at the table, with the lines typed beforehand; `said` is what the terminal showed."""

    def __init__(self, server: ScriptedServer, client: Client, typed: str, *, terminal: bool = False) -> None:
        self._server = server
        self._terminal = terminal
        self._client = client
        self._out = io.StringIO()
        self._typed = typed

    async def play(self) -> TableView | None:
        console = Console(file=self._out, width=200, highlight=False, force_terminal=self._terminal)
        display = Display(console, self._client.clock)
        table = await self._client.next_table()
        talk = TableTalk(self._client, table)
        return await Person(table, display, Keyboard(io.StringIO(self._typed)), lambda: True, talk).play()

    async def answered(self, refusal: str | None = None) -> dict[str, Any]:
        """The next command, answered."""
        command = await self._server.next("command")
        message = None if refusal is None else "no"
        answer = Answer(id=command["id"], table_id=TABLE_ID, version=0, code=refusal, message=message)
        await self._server.send(answer)
        found: dict[str, Any] = command["command"]
        return found

    @property
    def said(self) -> str:
        return self._out.getvalue()


async def test_lines_are_choices_and_mistakes_are_explained(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    before = outcomes[: outcomes.index(mine)]
    number = (mine.view(1).hand or ()).index(mine.view(1).legal[0].partition("@")[0]) + 1
    end = mine.view(1).legal[0].partition("@")[2][0]
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, f"?\nbla\n\n{number}{end}\nq\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        for outcome in [*before, mine]:
            await server.send(outcome.message(1))
        assert (await person.answered())["type"] == "sit-down"
        play = await person.answered("stale-turn")
        assert f"{play['tile']}@{play['end']}" == mine.view(1).legal[0]
        assert play["turn"] == mine.view(1).turn
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None
    assert "Type a tile's number" in person.said
    assert person.said.count("expected a tile's number") == 1  # an empty line is no mistake
    assert "Refused: stale-turn: no" in person.said


async def test_a_choice_that_is_too_late_is_told_in_plain_words(
    server: ScriptedServer, outcomes: list[Outcome]
) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    number = (mine.view(1).hand or ()).index(mine.view(1).legal[0].partition("@")[0]) + 1
    end = mine.view(1).legal[0].partition("@")[2][0]
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, f"{number}{end}\nq\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        await person.answered("too-late")
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None
    assert TOO_LATE in person.said


async def test_the_end_of_input_is_leaving(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None


async def test_enter_takes_the_seat_back_from_the_autopilot(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    taken = next(outcome for outcome in outcomes if any(seat.autopilot for seat in outcome.view(1).seats))
    away = next(seat.seat for seat in taken.view(1).seats if seat.autopilot)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "\nq\n", terminal=True)
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(taken.message(away).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "return-to-seat"
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None
    assert TAKE_BACK in person.said


async def test_a_match_that_ends_needs_no_line(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(outcomes[0].message(2).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        await server.send(outcomes[-1].message(2).model_copy(update={"from_version": 1}))
        last = await playing
    assert last is not None
    assert last.result is not None


async def test_draws_and_passes_are_asked_for_and_the_turn_goes_on_after_a_draw(server: ScriptedServer) -> None:
    outcomes = list(match("duel-draw", 2, 100, seed="person"))
    drawing = next(n for n, o in enumerate(outcomes) if o.view(1).legal == ("draw",) and o.view(1).my_turn)
    drawn = outcomes[drawing + 1].view(1)
    assert drawn.my_turn
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "1\n\np\n1\n2\n3\n4\n5\n6\n7\n8\n9\nq\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(outcomes[drawing].message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "draw-tiles"
        await server.send(outcomes[drawing + 1].message(1))
        play = await person.answered()
        assert (play["type"], play["turn"]) == ("play-tile", drawn.turn)
        assert any(action.startswith(play["tile"]) for action in drawn.legal)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    assert "nothing fits: d to draw" in person.said
    assert "you cannot pass now" in person.said


async def test_views_are_shown_while_a_command_has_no_answer(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, f"{mine.view(1).legal[0]}\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await server.next("command"))["command"]["type"] == "play-tile"
        await server.send(outcomes[-1].message(1).model_copy(update={"from_version": mine.version}))
        last = await playing
    assert last is not None
    assert last.over


async def test_resigning_a_match_of_two_is_asked_once_and_its_end_is_seen(server: ScriptedServer) -> None:
    outcomes = list(match("draw", 2, 50))
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "resign\nno\nresign\n\nresign\nyes\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "resign"
        resigned = {"type": "match-ended", "reason": "resigned", "winner": [2], "scores": [0, 0]}
        last = outcomes[-1].message(1)
        over = {"from_version": mine.version, "events": ({"type": "activity-of-a-later-server"}, resigned)}
        await server.send(last.model_copy(update=over))
        seen = await playing
    assert seen is not None
    assert seen.over
    assert person.said.count("Give the match up? It is lost at once. yes: resign, Enter: play on") == 3
    assert person.said.count("The match goes on.") == 2
    assert "Bot 2 wins the match (you resigned)" in person.said


async def test_a_choice_instead_of_a_yes_is_a_choice(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    action = mine.view(1).legal[0]
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, f"resign\n{action}\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "play-tile"
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_resigning_with_more_seats_is_leaving(server: ScriptedServer) -> None:
    waiting = next(o for o in match("block", 3, 50) if o.view(1).status == "playing" and not o.view(1).my_turn)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "resign\ny\n", terminal=True)
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(waiting.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "resign"
        assert await playing is None
    assert "With 3 seats resigning is leaving. yes: leave, Enter: play on > " in person.said


async def test_a_resignation_that_is_refused_says_why_and_ends_nothing(
    server: ScriptedServer, outcomes: list[Outcome]
) -> None:
    mine = next(outcome for outcome in outcomes if outcome.view(1).my_turn)
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "resign\nyes\nq\n")
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        await server.send(mine.message(1).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered("not-started"))["type"] == "resign"
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None
    assert "Refused: not-started: no" in person.said


async def test_help_covers_the_table_and_enter_goes_back(server: ScriptedServer, outcomes: list[Outcome]) -> None:
    async with Client(server.url, token="t") as client:
        person = Sitting(server, client, "?\n\nq\n", terminal=True)
        playing = asyncio.create_task(person.play())
        await server.next("watch")
        waiting = next(o for o in outcomes if o.view(2).status == "playing" and not o.view(2).my_turn)
        await server.send(waiting.message(2).model_copy(update={"from_version": 0}))
        assert (await person.answered())["type"] == "sit-down"
        assert (await person.answered())["type"] == "leave-table"
        assert await playing is None
    assert person.said.index("Type a tile's number") < person.said.index(END_HELP)
    assert "It is not your turn" not in person.said
    assert "Capicua" in person.said[person.said.index(END_HELP) :]
