"""What people are called."""

import secrets

from redis.asyncio import Redis
from tests.gateway.belled import belled
from tests.gateway.running import Guest

from contracts.names import fallback_name
from gateway.names import Names


async def test_a_name_that_is_kept_is_known_once_it_is_learnt_and_forgotten_when_it_changes(redis_url: str) -> None:
    ann, ben = f"ann-{secrets.token_hex(4)}", f"ben-{secrets.token_hex(4)}"
    changed: list[str] = []
    async with belled(redis_url) as (redis, _):
        names = Names(redis)
        names.on_change(changed.append)
        await redis.set(f"name:{ann}", "Ann")
        assert names.name_of(ann) == fallback_name(ann)
        await names.learn([ann, ben])
        assert (names.name_of(ann), names.name_of(ben)) == ("Ann", fallback_name(ben))
        await redis.set(f"name:{ann}", "Anne")
        await names.learn([ann])
        assert names.name_of(ann) == "Ann"
        await names.forget([ann, "somebody whom nobody knows"])
        assert changed == [ann]
        assert names.name_of(ann) == fallback_name(ann)
        assert await redis.get(f"name:{ann}") is None


async def test_without_any_server_people_go_by_the_names_made_for_them_and_are_looked_up_again() -> None:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    names = Names(redis)
    await names.learn(["ann"])
    await names.forget(["ann"])
    assert names.name_of("ann") == fallback_name("ann")
    await redis.aclose()


async def test_a_name_is_chosen_once_and_is_that_at_every_gateway(three: list[Guest]) -> None:
    ann, ben, _ = three
    answer = await ann.http.put("/v1/me/name", json={"name": "  Ann   Bee "}, headers=ann.headers)
    assert (answer.status_code, answer.json()) == (200, {"name": "Ann Bee"})
    assert (await ann.http.get("/v1/me/name", headers=ann.headers)).json() == {"name": "Ann Bee"}
    assert (await ann.http.get("/v1/me/profile", headers=ann.headers)).json()["name"] == "Ann Bee"
    assert (await ben.http.get("/v1/me/name", headers=ben.headers)).json() == {"name": fallback_name(ben.account)}
