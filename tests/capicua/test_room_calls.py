"""Rooms of both kinds against a scripted server."""

import asyncio
from urllib.parse import parse_qs

import pytest
from tests.capicua.room_messages import CODE, entry, private_room, room_list
from tests.capicua.scripted_product import Asked, ScriptedProduct

from capicua import Client, Refused
from contracts.api import SocketError
from contracts.queue_api import PublicRoom, PublicRooms, RoomChanges, TableMade, TablePage
from contracts.region import Pool
from contracts.room import RoomSeat
from contracts.room_api import Phrase, RoomMade, Said, Talk


def talk(text: str | None = None, phrase: Phrase | None = None, **where: str) -> Talk:
    return Talk(said_by="gben", name="Ben", at=1, text=text, phrase=phrase, **where)


# ---- public rooms


async def test_the_public_rooms_are_listed(product: ScriptedProduct, player: Client) -> None:
    product.answers["GET /v1/rooms"] = PublicRooms(rooms=(PublicRoom(preset="draw", people=2, open=1, running=0),))
    assert (await player.rooms()).rooms[0].people == 2


async def test_pages_follow_each_other_by_their_cursor(product: ScriptedProduct, player: Client) -> None:
    def page(asked: Asked) -> TablePage:
        is_second = "cursor" in parse_qs(asked.line.partition("?")[2])
        return TablePage(preset="draw", people=1, tables=(entry(f"t{is_second:d}"),), next=None if is_second else "a+b")

    product.answers["GET /v1/rooms/draw/tables"] = page
    pages = [page async for page in player.tables("draw", state="open", seats=3, rated=False)]
    assert [found.tables[0].table_id for found in pages] == ["t0", "t1"]
    queries = [parse_qs(asked.line.partition("?")[2]) for asked in product.asked]
    assert queries == [
        {"state": ["open"], "seats": ["3"], "rated": ["false"]},
        {"state": ["open"], "seats": ["3"], "rated": ["false"], "cursor": ["a+b"]},
    ]


async def test_a_followed_room_is_the_whole_list_whatever_comes(product: ScriptedProduct, player: Client) -> None:
    lists = player.follow_room("draw")
    first = asyncio.ensure_future(anext(lists))
    assert (await product.next("follow-room"))["preset"] == "draw"
    await product.send(RoomChanges(preset="draw", people=9, gone=("early",)))  # of nothing that is known
    await product.send(room_list(entry("a", since=1), entry("b", since=2)))
    assert [table.table_id for table in (await first).tables] == ["b", "a"]
    running = entry("b", "Ada", "Ben", state="running", since=3)
    await product.send(RoomChanges(preset="draw", people=4, changed=(running, entry("c", since=4)), gone=("unknown",)))
    changed = await anext(lists)
    assert [table.table_id for table in changed.tables] == ["c", "a", "b"]
    assert changed.people == 4
    await product.send(RoomChanges(preset="block", people=4, gone=("a",)))
    await product.send(RoomChanges(preset="draw", people=4, gone=("a",)))
    assert [table.table_id for table in (await anext(lists)).tables] == ["c", "b"]

    await product.drop()
    await product.next("follow-room")
    await product.send(room_list(entry("d")))
    assert [table.table_id for table in (await anext(lists)).tables] == ["d"]
    await lists.aclose()
    assert (await product.next("unfollow-room"))["preset"] == "draw"


async def test_a_room_that_is_refused_ends_its_list_and_one_that_must_wait_is_asked_for_again(
    product: ScriptedProduct, player: Client
) -> None:
    reading = asyncio.ensure_future(anext(player.follow_room("nonsense")))
    await product.next("follow-room")
    await product.send(SocketError(code="too-many-requests", message="slower"))
    await product.next("follow-room")
    await product.send(SocketError(code="unknown-preset", message="there is no such room"))
    with pytest.raises(Refused, match="unknown-preset"):
        await reading


async def test_a_table_is_offered_a_seat_taken_and_given_up(product: ScriptedProduct, player: Client) -> None:
    product.answers["POST /v1/tables"] = TableMade(id="x", table_id="01jmine")
    assert await player.offer_table(Pool(preset="party", seats=4, target=150, turn_seconds=30)) == "01jmine"
    said = (await product.request("POST /v1/tables")).body["pool"]
    assert (said["preset"], said["turn_seconds"], said["rated"]) == ("party", 30, False)
    await player.take_seat("01jother")
    await product.request("POST /v1/tables/01jother/seat")
    product.answers["POST /v1/tables/leave"] = (409, {"code": "no-seat", "detail": "you sit nowhere"})
    with pytest.raises(Refused, match="no-seat"):
        await player.leave_seat()


# ---- private rooms


async def test_the_host_of_a_room_does_what_hosts_do(product: ScriptedProduct, player: Client) -> None:
    product.answers["POST /v1/private-rooms"] = RoomMade(id="x", code=CODE, link="https://d/join/ABC234", qr="q")
    room = await player.open_room({"preset": "all-fives", "turn_ms": None})
    assert (await product.request("POST /v1/private-rooms")).body["ruleset"] == {"preset": "all-fives", "turn_ms": None}
    assert (room.code, room.link) == (CODE, "https://d/join/ABC234")
    await room.choose_ruleset({"preset": "party", "seats": 3})
    await room.arrange_seats([RoomSeat(account="gada"), RoomSeat(strength="expert"), RoomSeat()])
    await room.remove("gben")
    await room.hand_over("gcid")
    await room.start()
    await room.end_pause(2)
    await room.leave()
    sent = [asked.body["command"] for asked in product.asked if asked.line == f"POST /v1/private-rooms/{CODE}"]
    assert sent == [
        {"type": "choose-ruleset", "ruleset": {"preset": "party", "seats": 3}},
        {"type": "arrange-seats", "seats": [{"account": "gada"}, {"strength": "expert"}, {}]},
        {"type": "remove-person", "account": "gben"},
        {"type": "hand-over", "account": "gcid"},
        {"type": "start-match"},
        {"type": "end-pause", "round": 2},
        {"type": "leave-room"},
    ]
    await room.pair_screen("XYZ789")
    assert (await product.request(f"POST /v1/private-rooms/{CODE}/screens")).body == {"pairing": "XYZ789"}


async def test_a_room_is_followed_over_a_lost_connection_until_it_is_closed(
    product: ScriptedProduct, player: Client
) -> None:
    room = await player.room(" abc234\n")
    await room.enter()
    views = room.views()
    reading = asyncio.ensure_future(anext(views))
    assert (await product.next("follow-private-room"))["code"] == CODE
    await product.send(private_room(1))
    assert (await reading).version == 1
    await product.drop()
    await product.next("follow-private-room")
    assert room.link == f"{player.address.url}/join/{CODE}"
    await product.send(private_room(4, link=f"https://d/join/{CODE}"))
    assert (await anext(views)).version == 4
    assert room.link == f"https://d/join/{CODE}"
    assert room.view is not None
    await product.send(private_room(5, closed=True))
    assert [view.version async for view in views] == [5]
    await room.close()
    await product.next("unfollow-private-room")


async def test_what_is_said_in_a_room_is_heard_once(product: ScriptedProduct, player: Client) -> None:
    room = await player.room(CODE)
    heard = room.talk()
    reading = asyncio.ensure_future(anext(heard))
    await product.next("follow-private-room")
    await product.send(talk("good evening", code=CODE))
    assert (await reading).text == "good evening"
    await product.drop()
    await product.next("follow-private-room")
    await product.send(talk("good evening", code=CODE))
    await product.send(talk(phrase="hello", code="XYZ789"))
    await product.send(talk(phrase="hello", code=CODE))
    assert (await anext(heard)).phrase == "hello"
    await room.say(text="hello Ben")
    said = await product.next("say")
    assert said == {"type": "say", "id": said["id"], "code": CODE, "text": "hello Ben"}


async def test_a_phrase_at_a_table_goes_there_and_comes_from_there(product: ScriptedProduct, player: Client) -> None:
    table = await player.watch("01jtable")
    await product.next("watch")
    await table.say("well-played")
    said = await product.next("say")
    assert said == {"type": "say", "id": said["id"], "table_id": "01jtable", "phrase": "well-played"}
    await product.send(talk(phrase="thank-you", table_id="01jtable"))
    assert (await anext(table.talk())).phrase == "thank-you"


async def test_what_is_not_said_is_refused_to_whoever_wanted_to_say_it(
    product: ScriptedProduct, player: Client
) -> None:
    room, table = await player.room(CODE), await player.watch("01jtable")
    told = "say: expected at most 5 things in 10 s, got one more"
    product.on_say = lambda said_id: SocketError(code="too-much-talk", message=told, id=said_id)
    for saying in (room.say(phrase="hello"), table.say("hello")):
        with pytest.raises(Refused, match="at most 5 things") as refused:
            await saying
        assert refused.value.code == "too-much-talk"


@pytest.mark.parametrize("text", ["", "x" * 241])
async def test_what_no_message_can_carry_is_refused_like_the_rest(player: Client, text: str) -> None:
    room = await player.room(CODE)
    with pytest.raises(Refused, match="character") as refused:
        await room.say(text=text)
    assert refused.value.code == "bad-message"


async def test_what_was_said_is_said_again_under_its_id_when_the_answer_was_lost(
    product: ScriptedProduct, player: Client
) -> None:
    room = await player.room(CODE)
    answers = iter([None, Said(id="another"), Said(id="another")])
    product.on_say = lambda _: next(answers)
    saying = asyncio.ensure_future(room.say(text="are you there?"))
    first = await product.next("say")
    await product.drop()
    assert await product.next("say") == first
    await product.send(Said(id=first["id"]))
    await saying
