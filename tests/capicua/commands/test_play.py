"""`capicua play` and `capicua screen` on a terminal, against a scripted server."""

from pathlib import Path

import pytest
from tests.capicua.commands.on_a_terminal import Terminal
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.room_messages import CODE, entry, private_room, status
from tests.capicua.scripted_product import ScriptedProduct

from contracts.api import Answer, Guest, MatchCalledOff, Me, YourTable
from contracts.queue_api import MyTables, Offer, Person, TablePage
from contracts.room_api import PersonInRoom, PrivateRoom, RoomMade, Screen, SeatInRoom

COMMAND = f"POST /v1/private-rooms/{CODE}"


@pytest.fixture(autouse=True)
def guest(product: ScriptedProduct, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user with a configuration folder of their own and no seat anywhere; the account is that of seat 1."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CAPICUA_URL", product.url)
    monkeypatch.setattr(product, "on_hello", lambda: {**product._welcome(), "account": "bot1"})
    product.answers["POST /v1/guests"] = Guest(account="bot1", token="t", bot=False)
    product.answers["GET /v1/me"] = Me(account="bot1", bot=False, tables=(), server_time=0)
    product.answers["GET /v1/me/tables"] = MyTables(running=(), finished=())


def room(version: int, **fields: object) -> PrivateRoom:
    """Test, who is the host, and Ada."""
    people = [PersonInRoom(account="bot1", name="Test"), PersonInRoom(account="bot2", name="Ada")]
    seats = [SeatInRoom(seat=1, account="bot1"), SeatInRoom(seat=2, account="bot2")]
    known = {"people": people, "seats": seats, "host": "bot1", "owner": "bot1"}
    return private_room(version, **{**known, "ruleset": {"preset": "party", "seats": 2, "target": 50}, **fields})


async def seen(product: ScriptedProduct, outcome: Outcome, seat: int | None = 1, **change: object) -> None:
    """The table as seat 1 sees it, or another, or who looks on, with people on both seats."""
    message = outcome.message(seat)
    people = [{**seat, "bot": False, "strength": None} for seat in message.view["seats"]]
    view = {**message.view, "seats": people, **change}
    await product.send(message.model_copy(update={"from_version": 0, "view": view}))


async def accepted(product: ScriptedProduct, kind: str) -> None:
    asked = await product.next("command")
    assert asked["command"]["type"] == kind
    await product.send(Answer(id=asked["id"], table_id=TABLE_ID, version=1))


async def test_an_offer_is_accepted_by_a_key(product: ScriptedProduct) -> None:
    async with Terminal("play --no-bots --rated --seats 3") as terminal:
        assert (await product.request("POST /v1/queue")).body["rated"] is True
        await product.send(status(Offer(message="House bots can take the free seats.")))
        await terminal.shows("y: yes to it, n: no, q leave the queue > ")
        terminal.type("y")
        await product.request("POST /v1/queue/bots")
        await terminal.shows("House bots are on their way.")
        terminal.type("q")
        await product.request("POST /v1/queue/leave")
        assert await terminal.ends() == 0
        await terminal.shows("You wait no longer.")


async def test_a_host_opens_a_room_plays_hurries_the_next_round_and_comes_back_to_the_room(
    product: ScriptedProduct,
) -> None:
    product.answers["POST /v1/private-rooms"] = RoomMade(id="x", code=CODE, link="https://d/join/ABC234", qr="q")
    outcomes = list(match("party", 2, 50))
    pausing = next(outcome for outcome in outcomes if outcome.view(1).status == "pausing")
    async with Terminal("play --new-room --preset party --target 60", columns=120) as terminal:
        assert (await product.request("POST /v1/private-rooms")).body["ruleset"]["target"] == 60
        await product.next("follow-private-room")
        await product.send(room(1))
        await terminal.shows("Come in by  https://d/join/ABC234")
        terminal.type("start")
        assert (await product.request(COMMAND)).body["command"]["type"] == "start-match"
        await product.send(room(2, running=True, table_id=TABLE_ID))
        await product.send(YourTable(table_id=TABLE_ID, region="room-abc234"))
        await product.next("watch")
        await seen(product, outcomes[0], region="room-abc234")
        await accepted(product, "return-to-seat")
        await accepted(product, "sit-down")
        await seen(product, pausing, region="room-abc234")
        assert "Ada" in await terminal.shows("Enter: next round > ")
        terminal.type("")
        assert (await product.request(COMMAND)).body["command"] == {"type": "end-pause", "round": 1}
        await seen(product, outcomes[-1], region="room-abc234")
        await product.send(room(3, table_id=TABLE_ID))
        end = await terminal.shows("Enter: back to the room > ")
        assert "Scores: you" in end
        assert f"replay {TABLE_ID}\n" in end
        terminal.type("")
        await terminal.shows("Nobody is missing: the host may start.")
        terminal.type("q")
        assert (await product.request(COMMAND)).body["command"]["type"] == "leave-room"
        assert await terminal.ends() == 0


async def test_who_watches_a_public_table_sees_the_names_of_its_people(product: ScriptedProduct) -> None:
    people = tuple(Person(account=f"bot{seat}", name=name) for seat, name in enumerate(("Ada", "Ben"), 1))
    listed = entry(TABLE_ID, state="running", target=50).model_copy(update={"people": people})
    product.answers["GET /v1/rooms/draw/tables"] = TablePage(preset="draw", people=0, tables=(listed,))
    async with Terminal(f"watch {TABLE_ID}") as terminal:
        await product.next("watch")
        await seen(product, next(match()), seat=None)
        assert "Ben" in await terminal.shows("Ada")


@pytest.mark.parametrize("arguments", ["play --room abc", "play --room ABCDE0", "screen ABC-23"])
async def test_what_cannot_be_a_code_is_not_asked_for(product: ScriptedProduct, arguments: str) -> None:
    async with Terminal(arguments) as terminal:
        assert await terminal.ends() == 2
        assert "six letters and digits" in terminal.page
    assert product.asked == []


async def test_a_room_goes_on_when_its_table_could_not_be_opened(product: ScriptedProduct) -> None:
    async with Terminal(f"play --room {CODE}", columns=120) as terminal:
        assert (await product.request(COMMAND)).body["command"]["type"] == "enter-room"
        await product.next("follow-private-room")
        await product.send(room(2, running=True))
        await product.send(MatchCalledOff(table_id=TABLE_ID, code="stale-id"))
        await product.send(room(3, not_opened=True))
        await terminal.shows("The table could not be opened; the host may start again.")
        await product.send(YourTable(table_id="t-next", region="room-abc234"))
        assert (await product.next("watch"))["table_id"] == "t-next"


async def test_who_enters_while_a_match_runs_sees_the_names_at_its_table(product: ScriptedProduct) -> None:
    people = tuple(Person(account=f"bot{seat}", name=name) for seat, name in enumerate(("Test", "Ada"), 1))
    mine = entry(TABLE_ID, state="running").model_copy(update={"people": people})
    product.answers["GET /v1/me/tables"] = MyTables(running=(mine,), finished=())
    async with Terminal(f"play --room {CODE}") as terminal:
        assert (await product.request(COMMAND)).body["command"]["type"] == "enter-room"
        await product.next("follow-private-room")
        await product.send(YourTable(table_id=TABLE_ID, region="room-abc234"))
        await product.next("watch")
        await seen(product, next(match()), region="room-abc234")
        await accepted(product, "return-to-seat")
        await accepted(product, "sit-down")
        await terminal.shows("Ada")


async def test_a_room_that_does_not_let_one_in_is_told_in_one_line(product: ScriptedProduct) -> None:
    product.answers[COMMAND] = (429, {"code": "too-many-wrong-codes", "detail": "wait a while"})
    async with Terminal("play --room abc234") as terminal:
        assert (await product.request(COMMAND)).body["command"]["type"] == "enter-room"
        assert await terminal.ends() == 1
        said = await terminal.shows("wait a while")
    assert said.strip() == "capicua: too-many-wrong-codes: wait a while"


async def test_a_screen_shows_its_code_and_nothing_else_until_it_is_paired(product: ScriptedProduct) -> None:
    product.answers["POST /v1/screens"] = Screen(token="s", pairing="XYZ789")
    async with Terminal("screen") as terminal:
        await terminal.shows("Its host types  screen XYZ789")
        await product.next("follow-private-room")
        await product.send(room(1))
        page = await terminal.shows("Nobody is missing: the host may start.")
        assert "(you" not in page
        await product.send(room(2, closed=True))
        assert await terminal.ends() == 0
        await terminal.shows("The room is closed.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("play --new-room --rated", "--rated"),
        ("play --new-room --preset block --clock-minutes 3", "expected none, it has no such time"),
        ("play --new-room --preset party --seats 3 --pairs", "--pairs"),
        ("play --room ABC234 --new-table", "got --new-table and --room"),
        ("tables whist", "whist"),
    ],
)
async def test_options_that_cannot_be_are_explained(product: ScriptedProduct, arguments: str, words: str) -> None:
    async with Terminal(arguments) as terminal:
        assert await terminal.ends() == 2
        assert words in " ".join(terminal.page.replace("│", " ").split())
    assert product.asked == []
