"""A region's whole state as JSON, for snapshots."""

from collections.abc import Mapping
from typing import Any

from rpds import HashTrieMap

from lobby.region import queue_codec
from lobby.region.away import Away
from lobby.region.line import Line
from lobby.region.offers import Offers
from lobby.region.state import Lobby

Json = dict[str, Any]


def to_json(lobby: Lobby) -> Json:
    """The lobby as a JSON object, the same for equal lobbies; `from_json` gives an equal lobby back."""
    return {
        "queue": queue_codec.to_json(lobby.queue),
        "standing_by": lobby.standing_by.to_json(),
        "bots_away": lobby.bots_away.to_json(),
        "seated": _sorted(lobby.seated),
        "tables": {table_id: list(accounts) for table_id, accounts in _sorted(lobby.tables).items()},
        "groups_at": {table_id: list(groups) for table_id, groups in _sorted(lobby.groups_at).items()},
        "offers": lobby.offers.to_json(),
    }


def from_json(body: Mapping[str, Any]) -> Lobby:
    """The lobby of such an object; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    groups_at = {table_id: tuple(groups) for table_id, groups in body["groups_at"].items()}
    return Lobby(
        queue_codec.from_json(body["queue"]),
        Line.from_json(body["standing_by"]),
        Away.from_json(body["bots_away"]),
        HashTrieMap(body["seated"]),
        HashTrieMap({table_id: tuple(accounts) for table_id, accounts in body["tables"].items()}),
        HashTrieMap({group: table_id for table_id, groups in groups_at.items() for group in groups}),
        HashTrieMap(groups_at),
        Offers.from_json(body["offers"]),
    )


def _sorted(entries: Mapping[str, Any]) -> Json:
    """By key: a hash map has an order of its own in every process."""
    return dict(sorted(entries.items()))
