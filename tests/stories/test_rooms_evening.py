"""A family evening around a television: what every phone and the screen may do, and what a stranger may not."""

from collections.abc import AsyncIterator, Awaitable

import httpx
import pytest
from tests.stories.evening import Evening, Phone, evening, shown
from tests.stories.refused import refused
from tests.stories.timed_door import timed_door
from tests.stories.town import Town

from capicua import Client, ScreenClient
from contracts.room import RoomSeat, room_of
from contracts.room_api import PrivateRoom
from domino_rules.table import Finished

PARTY = {"preset": "party", "seats": 4, "target": 75, "pairs": True}
"""Hardly any round is worth so much: the match has pauses, five on average."""
AWAY_MS = 60_000
A_MOMENT_MS = 1_000


@pytest.fixture(scope="module")
async def url(town: Town, postgres_dsn: str) -> AsyncIterator[str]:
    async with timed_door(town, postgres_dsn) as url:
        yield url


@pytest.fixture
async def family(town: Town, url: str) -> AsyncIterator[Evening]:
    async with evening(town, url, PARTY, people=4) as family:
        yield family


def seats_of(view: PrivateRoom) -> list[str | None]:
    return [seat.account for seat in view.seats]


async def test_four_phones_and_a_television_play_and_rights_pass_while_the_host_s_phone_is_dead(
    family: Evening,
) -> None:
    ann, bea, cid, dot = family.phones
    screen = ScreenClient(family.url)
    await screen.connect()
    assert screen.pairing is not None
    assert await refused(bea.room.pair_screen(screen.pairing)) == "not-host"
    await ann.room.pair_screen(screen.pairing)
    assert await screen.paired() == family.code

    people = [phone.account for phone in (ann, cid, bea, dot)]
    await ann.room.arrange_seats([RoomSeat(account=account) for account in people])
    told = await shown(screen, lambda view: seats_of(view) == people)
    assert (told.host, told.screens, [person.account for person in told.people]) == (
        ann.account,
        1,
        [phone.account for phone in family.phones],
    )

    await family.start()
    story = family.story
    assert list(story.people) == people
    shown_on_screen = await (await screen.watch(story.table_id)).first_view()
    assert (shown_on_screen.you, shown_on_screen.hand, shown_on_screen.legal) == (None, None, ())

    hand = story.hand(ann.account)
    await ann.die()
    family.dead = ann
    assert (await family.happened("person-away"))["account"] == ann.account
    await shown(screen, lambda view: view.people[0].away)
    assert await refused(bea.room.end_pause(1)) == "not-host"
    await family.town.let_pass_in_lobby(room_of(family.code), family.town.time.now + AWAY_MS + 1)
    changed = await family.happened("host-changed")
    assert (changed["account"], changed["reason"]) == (bea.account, "away")
    stands_in = await shown(screen, lambda view: view.host == bea.account)
    assert stands_in.owner == ann.account
    await story.let_pass(story.now + A_MOMENT_MS)
    await family.town.watch.until(lambda: family.town.watch.events(story.table_id, "turn-timed-out"))

    assert await refused(bea.room.hand_over(bea.account)) == "stands-in"
    ended = await family.play_round()
    assert await refused(cid.room.end_pause(ended)) == "not-host"
    await family.end_pause(bea, ended)

    await ann.back(family.code)
    family.dead = None
    returned = await family.happened("host-changed", 2)
    assert (returned["account"], returned["reason"]) == (ann.account, "returned")
    view = await ann.table.first_view()
    assert (view.you, list(view.hand or ())) == (1, story.hand(ann.account))
    assert view.hand != tuple(hand)
    ended = await family.play_round()
    if not isinstance(story.state, Finished):
        assert await refused(bea.room.end_pause(ended)) == "not-host"
    while not isinstance(story.state, Finished):
        await family.end_pause(ann, ended)
        ended = await family.play_round()
    over = await shown(screen, lambda view: not view.running)
    assert over.table_id == story.table_id
    assert await (await screen.watch(story.table_id)).result() == await bea.table.result() is not None
    await screen.close()


async def test_a_stranger_with_the_qr_code_moves_nobody_s_tile_and_commands_no_room(family: Evening) -> None:
    ann = family.host
    async with httpx.AsyncClient(base_url=family.url) as http:
        picture = await http.get(f"/v1/private-rooms/{family.code}/qr.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    await family.start()
    story = family.story

    eve = Phone(family.url)
    eve.room = await eve.client.room(family.code)
    seats = [RoomSeat(account=phone.account) for phone in reversed(family.phones)]

    def commands() -> list[Awaitable[None]]:
        room = eve.room
        return [
            room.arrange_seats(seats),
            room.remove(ann.account),
            room.hand_over(ann.account),
            room.choose_ruleset({"preset": "draw"}),
            room.end_pause(1),
            room.start(),
        ]

    assert {await refused(command) for command in commands()} == {"not-in-room"}
    outside = await eve.client.watch(story.table_id)
    assert await refused(outside.first_view()) == "not-in-room"
    await outside.close()

    await eve.enter(ann.room.link)
    assert eve.account not in seats_of(await eve.room.look())
    assert {await refused(command) for command in commands()} == {"not-host"}
    watched = await eve.client.watch(story.table_id)
    view = await watched.first_view()
    assert (view.you, view.hand, view.legal) == (None, None, ())
    for act in (watched.play(story.legal[0], story.turn), watched.sit(), watched.leave(), watched.resign()):
        assert await refused(act) == "not-seated"

    other = next(phone for phone in family.phones if phone.account != story.mover)
    assert await refused(other.table.play(story.legal[0], story.turn)) == "not-your-turn"
    before = story.version
    mover = next(phone for phone in family.phones if phone.account == story.mover)
    await family.seen(await mover.table.play(story.legal[0], story.turn))
    assert story.version > before
    await eve.die()
    await put_away(family)


async def test_a_screen_s_token_can_look_and_nothing_else(family: Evening) -> None:
    await family.start()
    story = family.story
    async with ScreenClient(family.url, code=family.code) as screen:
        assert await screen.paired() == family.code
        table = await screen.watch(story.table_id)
        assert (await table.first_view()).hand is None
        for act in (table.play(story.legal[0], story.turn), table.sit(), table.leave(), table.resign()):
            assert await refused(act) == "screen-only"
        async with Client(family.url, token=screen.token) as as_person:
            room = await as_person.room(family.code)
            assert seats_of(await room.look()) == list(story.people)
            for command in (room.enter(), room.start(), room.end_pause(1), room.remove(family.host.account)):
                assert await refused(command) == "screen-only"
            for wish in (as_person.queue(), as_person.me(), as_person.set_name("Eve"), as_person.my_tables()):
                assert await refused(wish) == "screen-only"
    await put_away(family)


async def put_away(family: Evening) -> None:
    """Nobody is at the table any more, and the room is closed."""
    for phone in family.phones:
        await family.seen(await phone.table.leave())
        await phone.room.leave()
