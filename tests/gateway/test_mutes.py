"""Whom somebody does not want to hear."""

import json
import secrets

import pytest
from redis.asyncio import Redis
from tests.gateway.belled import belled, heard
from tests.gateway.running import Guest

from bus.tasks import LoopTasks
from gateway.bells import Bells
from gateway.merged import Merged
from gateway.mutes import Mutes, MutesUnavailable


async def test_a_change_is_heard_at_every_gateway(redis_url: str) -> None:
    ann = f"ann-{secrets.token_hex(4)}"
    async with belled(redis_url) as (redis, bells), belled(redis_url) as (other_redis, other_bells):
        here, there = Mutes(redis, bells, Merged(redis)), Mutes(other_redis, other_bells, Merged(other_redis))
        await heard(other_bells, "mutes")
        await redis.set(f"muted:{ann}", json.dumps(["ben"]))
        assert await here.of(ann) == await there.of(ann) == {"ben"}
        await here.changed(ann)
        await heard(other_bells, "mutes")
        assert await redis.get(f"muted:{ann}") is None
        assert await here.of(ann) == await there.of(ann) == frozenset()


@pytest.mark.parametrize("kept", ["no JSON", "{}", "[1]", "7"])
async def test_what_is_kept_and_cannot_be_read_is_asked_for_again(redis_url: str, kept: str) -> None:
    ann = f"ann-{secrets.token_hex(4)}"
    async with belled(redis_url) as (redis, bells):
        await redis.set(f"muted:{ann}", kept)
        assert await Mutes(redis, bells, Merged(redis)).of(ann) == frozenset()


async def test_without_a_server_it_is_not_known_whom_somebody_wants_to_hear() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    mutes = Mutes(redis, Bells(redis, LoopTasks()), Merged(redis))
    with pytest.raises(MutesUnavailable):
        await mutes.of("ann")
    with pytest.raises(MutesUnavailable):
        await mutes.changed("ann")
    await redis.aclose()


async def test_who_has_muted_a_guest_does_not_hear_the_account_that_it_is_by_now(redis_url: str) -> None:
    ann, ben, cid, guest = (f"{name}-{secrets.token_hex(4)}" for name in ("ann", "ben", "cid", "guest"))
    speakers = frozenset({ben, cid})
    async with belled(redis_url) as (redis, bells):
        await redis.set(f"merged:{ben}", json.dumps([guest]))
        mutes = Mutes(redis, bells, Merged(redis))
        assert await mutes.among(speakers, ann) == frozenset()
        await redis.set(f"muted:{ann}", json.dumps([guest]))
        await mutes.changed(ann)
        await redis.set(f"muted:{ann}", json.dumps([guest]))
        assert await mutes.among(speakers, ann) == {ben}
        assert await mutes.of(ann) == {guest}


async def test_of_whom_it_cannot_be_known_nothing_is_heard_by_who_has_muted_anybody(redis_url: str) -> None:
    ann, eve = (f"{name}-{secrets.token_hex(4)}" for name in ("ann", "eve"))
    nowhere = Redis.from_url("redis://127.0.0.1:1/0")
    async with belled(redis_url) as (redis, bells):
        mutes = Mutes(redis, bells, Merged(nowhere))
        await redis.set(f"muted:{ann}", json.dumps(["somebody"]))
        assert await mutes.among(frozenset({"ben"}), ann) == {"ben"}
        assert await mutes.among(frozenset({"ben"}), eve) == frozenset()
    await nowhere.aclose()


async def test_people_are_muted_and_heard_again(three: list[Guest]) -> None:
    ann, ben, cid = three

    async def ask(method: str, path: str = "") -> list[str]:
        answer = await ann.http.request(method, f"/v1/me/mutes{path}", headers=ann.headers)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["accounts"])

    assert await ask("GET") == []
    assert await ask("PUT", f"/{ben.account}") == [ben.account]
    assert await ask("PUT", f"/{cid.account}") == sorted([ben.account, cid.account])
    assert await ask("DELETE", f"/{ben.account}") == await ask("GET") == [cid.account]
