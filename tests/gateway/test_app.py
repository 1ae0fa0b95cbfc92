"""The whole gateway on real Kafka and Valkey, with the real table and lobby."""

import asyncio
from itertools import pairwise
from typing import Any

from tests.gateway.running import Guest, from_the_queue, guests

from domino_rules.table import TableState, event_from_json, evolve, state_hash


async def sit(guest: Guest, table_id: str) -> None:
    await guest.say(type="watch", table_id=table_id)
    assert (await guest.hear("view"))["from_version"] == 0
    answer = await guest.command(table_id, {"type": "sit-down", "client_seed": "abc"})
    assert answer.get("code") is None, answer


async def follow(guest: Guest, table_id: str) -> list[dict[str, Any]]:
    """Plays the first legal thing whenever it is this guest's turn; all views until the match is over."""
    views: list[dict[str, Any]] = []
    await guest.say(type="watch", table_id=table_id)
    while not views or views[-1]["view"]["status"] != "finished":
        message = await guest.hear("view")
        views.append(message)
        view = message["view"]
        if view["legal"]:
            tile, _, end = view["legal"][0].partition("@")
            play = {"type": "play-tile", "turn": view["turn"], "tile": tile, "end": end or None}
            await guest.say(type="command", id=f"turn-{view['turn']}", table_id=table_id, command=play)
        elif view["status"] == "pausing" and not view["seats"][view["you"] - 1]["ready"]:
            command = {"type": "next-round", "round": view["round"]}
            await guest.say(type="command", id=f"next-{view['round']}", table_id=table_id, command=command)
    return views


async def test_a_match_from_the_queue_to_the_replay(gateway_url: str) -> None:
    async with guests(gateway_url, 2) as people:
        table_id = await from_the_queue(people)
        for guest in people:
            await sit(guest, table_id)
        seen = await asyncio.gather(*(follow(guest, table_id) for guest in people))
        assert seen[0][-1]["view"]["result"] == seen[1][-1]["view"]["result"]
        for views in seen:
            chain = [(view["from_version"], view["version"]) for view in views if view["events"]]
            assert all(before[1] == after[0] for before, after in pairwise(chain))

        answer = await people[0].http.get(f"/v1/tables/{table_id}/replay", headers=people[0].headers)
        assert answer.status_code == 200, answer.text
        verify(answer.json())


def verify(replay: dict[str, Any]) -> None:
    """Folds the replay and compares every recorded state hash."""
    state: TableState | None = None
    hashes = 0
    for outcome in replay["outcomes"]:
        for event in outcome["events"]:
            state = evolve(state, event_from_json(event))
        if outcome["state_hash"] is not None:
            assert state is not None
            assert state_hash(state) == outcome["state_hash"]
            hashes += 1
    assert hashes > 0
