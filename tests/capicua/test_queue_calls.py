"""The queue's calls against a scripted server."""

import pytest
from tests.capicua.room_messages import DRAW, WIDER, status
from tests.capicua.scripted_product import ScriptedProduct

from capicua import Client, Refused, Strength
from contracts.api import MatchCalledOff, YourTable
from contracts.queue_api import Offer


async def test_everything_that_one_may_wish_is_said(product: ScriptedProduct, player: Client) -> None:
    await player.queue("party", 4, 150, "fill", pairs=True, strength=Strength.EXPERT, rated=True, window=200)
    said = (await product.request("POST /v1/queue")).body
    assert (said["preset"], said["pairs"], said["rated"], said["window"]) == ("party", True, True, 200)
    assert "group" not in said
    await player.queue(group="familyevening", group_size=3)
    said = (await product.request("POST /v1/queue")).body
    assert (said["group"], said["group_size"]) == ("familyevening", 3)


async def test_yes_to_an_offer_names_its_pool_or_the_bots(product: ScriptedProduct, player: Client) -> None:
    await player.widen(WIDER)
    assert (await product.request("POST /v1/queue/widen")).body["pool"]["target"] == 50
    await player.accept_bots(Strength.BEGINNER)
    assert (await product.request("POST /v1/queue/bots")).body["strength"] == "beginner"


async def test_how_the_ticket_stands_is_pushed_until_there_is_a_table(product: ScriptedProduct, player: Client) -> None:
    await player.connect()
    statuses = player.queue_statuses()
    await product.send(status(waiting=1))
    assert (await anext(statuses)).waiting == 1
    await product.send(status(Offer(pool=WIDER, missing=0, message="One waits to 50."), waiting=2))
    second = await anext(statuses)
    assert (second.waiting, second.offers[0].pool, second.pool) == (2, WIDER, DRAW)
    await product.send(YourTable(table_id="01jtable", region="eu"))
    assert (await player.next_table()).id == "01jtable"
    await product.send(status(waiting=9))
    assert (await anext(player.queue_statuses())).waiting == 9


async def test_how_the_ticket_stands_can_be_asked_for(product: ScriptedProduct, player: Client) -> None:
    product.answers["GET /v1/queue"] = status(waiting=3)
    found = await player.queue_status()
    assert found is not None
    assert found.waiting == 3
    product.answers["GET /v1/queue"] = (409, {"code": "not-queued", "detail": "you do not wait"})
    assert await player.queue_status() is None
    product.answers["GET /v1/queue"] = (403, {"code": "screen-only", "detail": "no"})
    with pytest.raises(Refused, match="screen-only"):
        await player.queue_status()


async def test_who_waits_for_a_match_that_could_not_begin_is_told_and_may_queue_again(
    product: ScriptedProduct, player: Client
) -> None:
    await player.queue()
    await product.send(MatchCalledOff(table_id="01jtable", code="stale-id"))
    with pytest.raises(Refused, match="stale-id") as refused:
        await player.next_table()
    assert refused.value.code == "match-called-off"
    await player.queue()
    await product.send(YourTable(table_id="01jnext", region="eu"))
    assert (await player.next_table()).id == "01jnext"
