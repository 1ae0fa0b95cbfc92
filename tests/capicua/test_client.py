"""The client against a server that misbehaves on purpose; against the real one it plays in tests/stories."""

import asyncio

import pytest
from tests.capicua.matches import TABLE_ID, Outcome, match
from tests.capicua.scripted_product import ScriptedProduct
from tests.capicua.scripted_server import ScriptedServer

from capicua import Client, Closed, Refused, Table, Unreachable
from capicua.table import VIEWS_KEPT
from contracts.api import Answer, SocketError, YourTable
from contracts.room_api import NameChosen


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(match("draw", 2, 50))


async def at_table(server: ScriptedServer, client: Client, outcomes: list[Outcome]) -> Table:
    """The client's table after the first deal (the fourth outcome opens the round)."""
    table = await client.next_table()
    assert (await server.next("watch"))["version"] == 0
    await server.send(outcomes[2].message(1).model_copy(update={"from_version": 0}))
    return table


async def test_every_view_arrives_once_and_in_order(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    for outcome in [outcomes[3], outcomes[3], outcomes[2], *outcomes[4:]]:
        await server.send(outcome.message(1))
    versions = [view.version async for view in table.views()]
    assert versions == [outcome.version for outcome in outcomes[2:]]
    assert table.view is not None
    assert table.view.result is not None


async def test_a_version_whose_deadline_was_put_off_comes_again(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    first, due = outcomes[2].message(1), outcomes[2].message(1).view["deadline"]
    for given_back in (9000, 9000, 0):  # another server may know less of outages
        later = due | {"due_at": due["due_at"] + given_back, "given_back_ms": given_back}
        again = {"from_version": first.version, "events": (), "view": first.view | {"deadline": later}}
        await server.send(first.model_copy(update=again))
    await server.send(outcomes[3].message(1))
    views = table.views()
    seen = [await anext(views) for _ in range(3)]
    assert [(view.version, view.put_off) for view in seen] == [
        (first.version, False),
        (first.version, True),
        (outcomes[3].version, False),
    ]
    assert seen[1].deadline is not None
    assert (seen[1].deadline.due_at, seen[1].deadline.given_back_ms) == (due["due_at"] + 9000, 9000)
    assert not seen[1].missed


async def test_a_gap_is_noticed_and_what_is_missing_is_asked_for(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    await server.send(outcomes[5].message(1))
    assert (await server.next("watch"))["version"] == outcomes[2].version
    for outcome in outcomes[3:7]:
        await server.send(outcome.message(1))
    views = table.views()
    assert [(await anext(views)).version for _ in range(5)] == [outcome.version for outcome in outcomes[2:7]]
    assert table.missed_count == 1


async def test_who_reads_too_slowly_is_told_that_something_was_missed(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    first, view = outcomes[2].version, outcomes[3].message(1)
    for version in range(first + 1, first + 1 + VIEWS_KEPT):
        await server.send(view.model_copy(update={"from_version": version - 1, "version": version}))
    await server.send(YourTable(table_id="another", region="eu"))
    assert (await client.next_table()).id == "another"
    views = table.views()
    oldest, second = await anext(views), await anext(views)
    assert (oldest.version, oldest.missed) == (first + 1, True)
    assert (second.version, second.missed) == (first + 2, False)


async def test_a_lost_connection_resumes_with_the_known_version(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    views = table.views()
    await anext(views)
    await server.drop()
    assert (await server.next("watch"))["version"] == outcomes[2].version
    await server.send(outcomes[3].message(1))
    assert (await anext(views)).version == outcomes[3].version
    assert server.hellos == 2
    assert client.connections_count == 2


async def test_an_unanswered_command_is_sent_again_with_the_same_id(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    sitting = asyncio.create_task(table.sit("seed"))
    first = await server.next("command")
    assert first["command"] == {"type": "sit-down", "client_seed": "seed"}
    await server.drop()
    await server.next("watch")
    assert await server.next("command") == first
    await server.send(Answer(id=first["id"], table_id=TABLE_ID, version=9))
    await server.send(Answer(id=first["id"], table_id=TABLE_ID, version=10))
    assert await sitting == 9


async def test_a_command_without_an_answer_is_repeated_on_the_same_connection(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    leaving = asyncio.create_task(table.leave())
    first = await server.next("command")
    await server.send(SocketError(code="too-many-requests", message="slower", id=first["id"]))
    assert await server.next("command") == first
    await server.send(Answer(id=first["id"], table_id=TABLE_ID, version=3))
    assert await leaving == 3
    assert server.hellos == 1


async def test_resigning_is_a_command_of_its_own(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    resigning = asyncio.create_task(table.resign())
    command = await server.next("command")
    assert command["command"] == {"type": "resign"}
    await server.send(Answer(id=command["id"], table_id=TABLE_ID, version=4))
    assert await resigning == 4


async def test_a_refusal_says_expected_and_got(server: ScriptedServer, client: Client, outcomes: list[Outcome]) -> None:
    table = await at_table(server, client, outcomes)
    playing = asyncio.create_task(table.play("6-3@left", turn=7))
    command = await server.next("command")
    assert command["command"] == {"type": "play-tile", "turn": 7, "tile": "6-3", "end": "left"}
    no = Answer(id=command["id"], table_id=TABLE_ID, version=4, code="stale-turn", message="no", expected="8", got="7")
    await server.send(no)
    with pytest.raises(Refused) as refused:
        await playing
    assert (refused.value.code, refused.value.expected, refused.value.got) == ("stale-turn", "8", "7")


async def test_a_next_round_that_has_begun_already_is_fine_unless_a_seed_came_too_late(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    for seed in (None, "mine"):
        saying = asyncio.create_task(table.ready(seed))
        command = await server.next("command")
        await server.send(Answer(id=command["id"], table_id=TABLE_ID, version=4, code="stale-turn", message="no"))
        if seed is None:
            assert await saying == outcomes[2].version
        else:
            with pytest.raises(Refused, match="stale-turn"):
                await saying


async def test_an_accepted_play_is_not_offered_again_in_the_same_turn(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    number, mine = next((n, o) for n, o in enumerate(outcomes[3:], 3) if o.view(1).my_turn)
    for outcome in outcomes[3 : number + 1]:
        await server.send(outcome.message(1))
    views = table.views()
    view = await anext(views)
    while not view.my_turn:
        view = await anext(views)
    playing = asyncio.create_task(table.play(view.legal[0]))
    command = await server.next("command")
    assert command["command"]["turn"] == mine.view(1).turn
    await server.send(Answer(id=command["id"], table_id=TABLE_ID, version=mine.version + 1))
    await playing
    again = mine.message(1).model_copy(update={"from_version": mine.version, "version": mine.version + 1})
    await server.send(again)
    assert not (await anext(views)).my_turn


async def test_a_table_that_is_not_open_yet_is_asked_for_again(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await client.next_table()
    await server.next("watch")
    await server.send(SocketError(code="unknown-table", message="no", table_id=TABLE_ID))
    await server.next("watch")
    await server.send(outcomes[0].message(1))
    assert (await anext(table.views())).version == outcomes[0].version


async def test_a_table_that_cannot_be_shown_ends_its_views(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    views = table.views()
    await anext(views)
    await server.send(SocketError(code="table-unreadable", message="newer", table_id=TABLE_ID))
    with pytest.raises(Refused, match="table-unreadable"):
        await anext(views)


async def test_a_view_that_is_not_understood_ends_its_table_and_no_more(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    views = table.views()
    await anext(views)
    strange = outcomes[3].message(1)
    await server.send(strange.model_copy(update={"view": strange.view | {"status": "dancing"}}))
    with pytest.raises(Refused, match="view-not-understood"):
        await anext(views)
    await server.send(YourTable(table_id="another", region="eu"))
    assert (await client.next_table()).id == "another"


async def test_a_seat_is_handed_out_once_however_often_it_is_told(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    await at_table(server, client, outcomes)
    await server.send(YourTable(table_id=TABLE_ID, region="eu"))
    await server.send(YourTable(table_id="another", region="eu"))
    assert (await client.next_table()).id == "another"


async def test_a_bad_token_ends_everything_that_waits(server: ScriptedServer) -> None:
    server.on_hello = lambda: {"type": "error", "code": "bad-token", "message": "expired"}
    async with Client(server.url, token="old") as client:
        with pytest.raises(Refused, match="bad-token"):
            await client.next_table()
        with pytest.raises(Refused, match="bad-token"):
            await client.watch(TABLE_ID)


async def test_patience_ends_when_nobody_answers(server: ScriptedServer) -> None:
    async with ScriptedServer() as gone:
        url = gone.url
    async with Client(url, token="t", patience_seconds=0.1) as client:
        with pytest.raises(Unreachable, match=r"no answer from .*: nothing listens there"):
            await client.next_table()
        with pytest.raises(Unreachable):
            await client.me()


async def test_closing_ends_what_waits(server: ScriptedServer, client: Client, outcomes: list[Outcome]) -> None:
    table = await at_table(server, client, outcomes)
    sitting = asyncio.create_task(table.sit())
    await server.next("command")
    await client.close()
    with pytest.raises(Closed):
        await sitting
    with pytest.raises(Closed):
        await table.leave()
    with pytest.raises(Closed):
        await client.me()


async def test_a_message_of_a_newer_server_is_passed_over(
    server: ScriptedServer, client: Client, outcomes: list[Outcome]
) -> None:
    table = await at_table(server, client, outcomes)
    await server.send({"type": "fireworks", "colour": "red"})
    await server.send(outcomes[3].message(1))
    views = table.views()
    assert [(await anext(views)).version, (await anext(views)).version] == [outcomes[2].version, outcomes[3].version]


async def test_a_name_is_what_others_see_and_who_is_muted_can_be_heard_again(
    product: ScriptedProduct, player: Client
) -> None:
    product.answers["PUT /v1/me/name"] = NameChosen(name="Ada L.")
    assert await player.set_name(" Ada  L. ") == "Ada L."
    await player.mute("gben")
    await player.mute("gben", muted=False)
    assert [asked.line for asked in product.asked[1:]] == ["PUT /v1/me/mutes/gben", "DELETE /v1/me/mutes/gben"]
