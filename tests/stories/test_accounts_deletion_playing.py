"""Somebody is deleted in the middle of a match: their seat is nobody's, the other plays on, and the match verifies."""

import pytest
from tests.stories.people import POOL, looked

from capicua import Client, Table
from capicua.errors import Refused, SignedOut
from capicua.replay import Verification
from capicua.server.stack import Stack
from contracts.api import Replay


async def begin(table: Table) -> None:
    """Sits down, and plays if it is the first."""
    await table.sit()
    async for view in table.views():
        if view.my_turn:
            await table.play(view.legal[0])
        elif view.status == "playing":
            return


@pytest.mark.timeout(90)
async def test_who_is_deleted_in_the_middle_of_a_match_is_out_and_the_other_plays_on(stack: Stack) -> None:
    async with Client(stack.gateway_url) as ann, Client(stack.gateway_url) as bob:
        for client in (ann, bob):
            await client.queue(**POOL.model_dump())
        hers, his = [await client.next_table() for client in (ann, bob)]
        await his.sit()
        await begin(hers)
        account = str(ann.account)

        deleted = await ann.delete(account)

        with pytest.raises(SignedOut):
            async for _ in hers.views():
                pass
        await his.resign()
        views = [view async for view in his.views()]
        assert views[-1].over
        verified = Verification(await looked(lambda: replay(bob, his.id))).run()
        assert verified.first_wrong is None
        assert verified.deals_checked > 0
        assert await looked(lambda: called(bob, his.id, account)) == deleted.pseudonym


async def replay(client: Client, table_id: str) -> Replay | None:
    """Of a match that may not be over yet for whoever keeps replays."""
    try:
        return await client.replay(table_id)
    except Refused:
        return None


async def called(client: Client, table_id: str, account: str) -> str | None:
    """What the service calls that account in the list of the client's finished tables."""
    page = await client.my_tables()
    return page.names.get(account) if table_id in {table.table_id for table in page.finished} else None
