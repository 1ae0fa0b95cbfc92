"""What cannot be done with private rooms: codes are not guessed, and whoever was removed does not come back."""

from typing import Any

import httpx
import pytest
from tests.gateway.rooms import wrong_code
from tests.gateway.running import Guest, from_somewhere

from capicua import Client, Refused
from contracts.room import RoomSeat

DRAW = {"preset": "draw", "seats": 2}
WRONG_MAX_ADDRESS = 10
WRONG_MAX_ACCOUNT = 30


async def look(guest: Guest, code: str, where: dict[str, str]) -> tuple[int, str]:
    """Status and code of what is said to somebody at that address about a room."""
    answer = await guest.http.get(f"/v1/private-rooms/{code}", headers=guest.headers | where)
    body: dict[str, Any] = answer.json()
    return answer.status_code, body["code"]


async def patient(guest: Guest, code: str, where: dict[str, str]) -> tuple[int, str]:
    """The same for somebody who is slowed down and asks again."""
    while (found := await look(guest, code, where))[1] == "too-many-requests":
        await guest.http.get("/v1/me", headers=guest.headers)
    return found


async def test_who_guesses_codes_is_locked_out_by_address_and_learns_nothing(
    three: list[Client], second_gateway: str
) -> None:
    ann, *_ = three
    room = await ann.open_room(DRAW)
    here, elsewhere = from_somewhere(), from_somewhere()
    async with httpx.AsyncClient(base_url=second_gateway, timeout=30) as http:
        eve = await Guest.arrive(http, second_gateway)
        said = [await look(eve, wrong_code(), here) for _ in range(WRONG_MAX_ADDRESS)]
        assert set(said) == {(404, "unknown-code")}
        for code in (wrong_code(), room.code):
            assert await look(eve, code, here) == (429, "too-many-wrong-codes")
        bea = await Guest.arrive(http, second_gateway)
        assert await look(bea, room.code, here) == (429, "too-many-wrong-codes")
        assert await look(bea, room.code, elsewhere) == (200, room.code)
    await room.leave()


async def test_who_guesses_from_many_addresses_is_locked_out_by_account(
    three: list[Client], second_gateway: str
) -> None:
    ann, *_ = three
    room = await ann.open_room(DRAW)
    async with httpx.AsyncClient(base_url=second_gateway, timeout=30) as http:
        eve = await Guest.arrive(http, second_gateway)
        said = [await patient(eve, wrong_code(), from_somewhere()) for _ in range(WRONG_MAX_ACCOUNT)]
        assert set(said) == {(404, "unknown-code")}
        assert await patient(eve, room.code, from_somewhere()) == (429, "too-many-wrong-codes")
    await room.leave()


async def test_who_was_removed_does_not_come_back_and_the_seat_is_free(three: list[Client]) -> None:
    ann, bea, cid = three
    room = await ann.open_room(DRAW)
    for client in (bea, cid):
        await (await client.room(room.code)).enter()
    assert [seat.account for seat in (await room.look()).seats] == [ann.account, bea.account]
    with pytest.raises(Refused, match="not-host"):
        await (await cid.room(room.code)).remove(str(bea.account))
    await room.remove(str(bea.account))
    for again in ("enter", "look"):
        with pytest.raises(Refused, match="removed"):
            await getattr(await bea.room(room.code), again)()
    await (await bea.room(room.code)).leave()
    await room.arrange_seats([RoomSeat(account=ann.account), RoomSeat(account=cid.account)])
    view = await room.look()
    assert [person.account for person in view.people] == [ann.account, cid.account]
    assert [seat.account for seat in view.seats] == [ann.account, cid.account]
    await (await cid.room(room.code)).leave()
    await room.leave()


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "chess"},
        {"preset": "duel-draw", "seats": 3},
        {"preset": "draw", "seats": 9},
        {"preset": "draw", "target": 0},
        {"preset": "draw", "turn_ms": 1},
        {"preset": "party", "pairs": True, "seats": 3},
        {"preset": "draw", "colour": "red"},
    ],
)
async def test_options_that_no_preset_has_are_refused_and_the_room_stays_as_it_was(
    three: list[Client], options: dict[str, Any]
) -> None:
    ann, *_ = three
    with pytest.raises(Refused, match="bad-ruleset"):
        await ann.open_room(options)
    room = await ann.open_room(DRAW)
    with pytest.raises(Refused, match="bad-ruleset") as refused:
        await room.choose_ruleset(options)
    assert refused.value.expected
    assert (await room.look()).ruleset == DRAW
    await room.leave()


async def test_no_match_starts_with_a_free_seat_and_nobody_sits_on_two(three: list[Client]) -> None:
    ann, bea, cid = three
    await cid.connect()
    room = await ann.open_room(DRAW)
    with pytest.raises(Refused, match="seats-free"):
        await room.start()
    await (await bea.room(room.code)).enter()
    sits, stranger = RoomSeat(account=ann.account), RoomSeat(account=cid.account)
    with pytest.raises(Refused, match="bad-seats"):
        await room.arrange_seats([sits, sits])
    with pytest.raises(Refused, match="not-in-room"):
        await room.arrange_seats([sits, stranger])
    assert [seat.account for seat in (await room.look()).seats] == [ann.account, bea.account]
    await (await bea.room(room.code)).leave()
    await room.leave()
