"""A region's whole state as JSON, for snapshots."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rpds import HashTrieMap

from contracts.region import Pool
from lobby.region.line import Line
from lobby.region.offers import Offers
from lobby.region.state import Lobby, Ticket

Json = dict[str, Any]


def to_json(lobby: Lobby) -> Json:
    """The lobby as a JSON object, the same for equal lobbies; `from_json` gives an equal lobby back."""
    pools = sorted(lobby.pools.items(), key=lambda entry: entry[0].model_dump_json())
    return {
        "pools": [[pool.model_dump(), [asdict(ticket) for ticket in tickets]] for pool, tickets in pools],
        "queued": [[account, pool.model_dump()] for account, pool in _sorted(lobby.queued)],
        "standing_by": lobby.standing_by.to_json(),
        "seated": dict(_sorted(lobby.seated)),
        "tables": {table_id: list(accounts) for table_id, accounts in _sorted(lobby.tables)},
        "tickets": lobby.tickets,
        "offers": lobby.offers.to_json(),
    }


def from_json(body: Mapping[str, Any]) -> Lobby:
    """The lobby of such an object; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    pools = {Pool.model_validate(pool): tuple([Ticket(**each) for each in tickets]) for pool, tickets in body["pools"]}
    return Lobby(
        HashTrieMap(pools),
        HashTrieMap({account: Pool.model_validate(pool) for account, pool in body["queued"]}),
        Line.from_json(body["standing_by"]),
        HashTrieMap(body["seated"]),
        HashTrieMap({table_id: tuple(accounts) for table_id, accounts in body["tables"].items()}),
        body["tickets"],
        Offers.from_json(body["offers"]),
    )


def _sorted(entries: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """By key: a hash map has an order of its own in every process."""
    return sorted(entries.items(), key=lambda entry: entry[0])
