"""What cannot be done in the queue and at public tables: a clear refusal each, nobody seated twice, no seat lost."""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Any

import pytest
from tests.kafka.product import Watch
from tests.stories.crowd import Caller, ask_for_open_files, each, watched
from tests.stories.refused import refused

from capicua import Client, Refused
from capicua.server.stack import Stack
from contracts.envelope import OutcomeBody
from contracts.region import Pool

POOL = Pool(preset="block", seats=2, target=150)
TRIO = Pool(preset="block", seats=3, target=150)
WANT_THE_SEAT = 500
UNKNOWN_RESULT = 503
SEATED = "seated"


async def test_nobody_has_two_tickets_from_one_device_or_two(three: list[Client], second_gateway: str) -> None:
    ann, bea, _ = three
    await ann.queue(**TRIO.model_dump())
    async with Client(second_gateway, token=ann.token) as device:
        for again in (ann, device):
            assert await refused(again.queue(**TRIO.model_dump())) == "already-queued"
            assert await refused(again.queue(**POOL.model_dump())) == "already-queued"
            assert await refused(again.offer_table(TRIO)) == "already-queued"
        table_id = await bea.offer_table(TRIO)
        assert await refused(device.take_seat(table_id)) == "already-queued"
        await bea.leave_seat()
        await device.leave_queue()
        assert await ann.queue_status() is None


async def test_who_waits_from_two_devices_at_once_has_one_ticket(three: list[Client], second_gateway: str) -> None:
    ann, bea, _ = three
    await ann.connect()
    async with Client(second_gateway, token=ann.token) as device:
        answers = await asyncio.gather(
            *(client.queue(**POOL.model_dump()) for client in (ann, device) for _ in range(4)), return_exceptions=True
        )
        refusals = [answer.code for answer in answers if isinstance(answer, Refused)]
        assert (answers.count(None), refusals) == (1, ["already-queued"] * 7)
        await bea.queue(**POOL.model_dump())
        tables = [await client.next_table() for client in (ann, device, bea)]
        assert len({table.id for table in tables}) == 1
        seats = (await tables[0].first_view()).seats
        assert Counter(seat.account for seat in seats) == Counter([str(ann.account), str(bea.account)])


async def test_who_has_a_seat_gets_no_second_one(three: list[Client]) -> None:
    ann, bea, cid = three
    table_id = await ann.offer_table(TRIO)
    assert await refused(ann.queue()) == "already-seated"
    assert await refused(ann.offer_table(TRIO)) == "already-seated"
    assert await refused(ann.take_seat(table_id)) == "already-seated"
    await bea.take_seat(table_id)
    await cid.take_seat(table_id)
    assert {(await client.next_table()).id for client in three} == {table_id}
    for client in three:
        assert await refused(client.queue()) == "already-seated"
        assert await refused(client.offer_table(TRIO)) == "already-seated"
        assert [table.table_id for table in (await client.my_tables()).running] == [table_id]


async def test_of_five_hundred_who_want_the_last_seat_one_gets_it(stack: Stack, three: list[Client]) -> None:
    """Each over a connection of their own, all at once."""
    ask_for_open_files()
    ann, *_ = three
    table_id = await ann.offer_table(POOL)
    tokens: dict[str, str] = {}
    callers: list[Caller] = []

    async def arrive(_: int) -> None:
        callers.append(caller := await Caller.of(stack.gateway_url))
        _, guest = await caller.post("/v1/guests", {"bot": True})
        tokens[guest["account"]] = guest["token"]

    async def sit(caller: Caller, token: str) -> str:
        """The code of the refusal, or that the seat is theirs."""
        status = UNKNOWN_RESULT
        while status == UNKNOWN_RESULT:
            status, answer = await caller.post(f"/v1/tables/{table_id}/seat", {"id": "the-seat"}, token)
        return str(answer.get("code", SEATED))

    await each(range(WANT_THE_SEAT), arrive)
    codes = Counter(await asyncio.gather(*map(sit, callers, tokens.values())))
    for caller in callers:
        caller.hang_up()
    assert codes == {SEATED: 1, "table-full": WANT_THE_SEAT - 1}
    async with watched(stack) as watch:
        asked = await watch.until(lambda: outcomes(watch, tokens.keys()))
        assert Counter(body.refusal.code if body.refusal else SEATED for body in asked) == codes
        (seated,) = [body.principal for body in asked if body.refusal is None]
        (made,) = [made for made in watch.events("eu", "match-made") if made["table_id"] == table_id]
    assert [seat["account"] for seat in made["seats"]] == [ann.account, seated]
    view = await (await ann.next_table()).first_view()
    assert [seat.account for seat in view.seats] == [ann.account, seated]


def outcomes(watch: Watch, accounts: Collection[str]) -> list[OutcomeBody]:
    """Those of the people's commands, once there is one for each."""
    found = [body for body in watch.of("eu") if body.principal in accounts]
    return found if len(found) >= len(accounts) else []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"target": 77}, "bad-pool"),
        ({"pairs": True, "seats": 4}, "bad-pool"),
        ({"spinner": True}, "bad-pool"),
        ({"turn_seconds": 1}, "bad-pool"),
        ({"clock_minutes": 5}, "bad-pool"),
        ({"preset": "chess"}, "unknown-preset"),
        ({"preset": "duel-draw", "seats": 3, "target": 100}, "bad-pool"),
    ],
)
async def test_options_that_public_play_does_not_leave_open_are_refused(
    three: list[Client], change: dict[str, Any], code: str
) -> None:
    ann, *_ = three
    wish = POOL.model_dump() | change
    assert await refused(ann.queue(**wish)) == code
    assert await refused(ann.offer_table(Pool.model_validate(wish))) == code
    await ann.queue(**TRIO.model_dump())
    await ann.leave_queue()
