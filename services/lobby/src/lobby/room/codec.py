"""A private room's whole state as JSON, for snapshots."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, assert_never

from contracts.room import RoomSeat
from lobby.room.state import Closed, Gathering, PersonHere, Playing, Room, RoomState, Starting

Json = dict[str, Any]


def to_json(state: RoomState) -> Json:
    """The room as a JSON object; `from_json` gives an equal one back."""
    match state:
        case Gathering(room):
            return {"status": "gathering", "room": _room_to_json(room)}
        case Starting(room, table_id, strengths, due_at):
            waits = {"table_id": table_id, "strengths": list(strengths), "due_at": due_at}
            return {"status": "starting", "room": _room_to_json(room), **waits}
        case Playing(room, table_id, lent):
            return {"status": "playing", "room": _room_to_json(room), "table_id": table_id, "lent": lent}
        case Closed():
            return {"status": "closed", **asdict(state)}
        case _:
            assert_never(state)


def from_json(body: Mapping[str, Any]) -> RoomState:
    """The room of such an object; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    match body["status"]:
        case "gathering":
            return Gathering(_room_from_json(body["room"]))
        case "starting":
            strengths = tuple(body["strengths"])
            return Starting(_room_from_json(body["room"]), body["table_id"], strengths, body["due_at"])
        case "playing":
            return Playing(_room_from_json(body["room"]), body["table_id"], body["lent"])
        case "closed":
            return Closed(body["region"], body["closed_at"], body["table_id"], body["lent"])
        case status:
            raise ValueError(f"status: expected gathering, starting, playing or closed, got {status!r}")


def _room_to_json(room: Room) -> Json:
    return {
        "region": room.region,
        "ruleset": dict(room.ruleset),
        "host": room.host,
        "owner": room.owner,
        "people": [asdict(person) for person in room.people],
        "seats": [seat.model_dump() for seat in room.seats],
        "expires_at": room.expires_at,
        "removed": list(room.removed),
    }


def _room_from_json(body: Mapping[str, Any]) -> Room:
    return Room(
        body["region"],
        body["ruleset"],
        body["host"],
        body["owner"],
        tuple([PersonHere(**person) for person in body["people"]]),
        tuple([RoomSeat.model_validate(seat) for seat in body["seats"]]),
        body["expires_at"],
        tuple(body["removed"]),
    )
