"""Messages about the queue and rooms, as a server would send them."""

from typing import Any

from contracts.queue_api import Offer, Person, QueueStatus, RoomList, TableEntry, Why
from contracts.region import Pool
from contracts.room_api import PersonInRoom, PrivateRoom, SeatInRoom

CODE = "ABC234"
DRAW = Pool(preset="draw", seats=2, target=100)
WIDER = Pool(preset="draw", seats=2, target=50)


def entry(table_id: str, *names: str, state: str = "open", since: int = 1_000, **pool: Any) -> TableEntry:
    """A table with these people; the account of `Ada` is `gada`."""
    people = tuple(Person(account=f"g{name.split()[0].lower()}", name=name) for name in names)
    fields = {"preset": "draw", "seats": 2, "target": 100, **pool}
    return TableEntry.model_validate(
        {
            "table_id": table_id,
            "region": "eu",
            "state": state,
            "pool": fields,
            "people": [person.model_dump() for person in people],
            "since": since,
        }
    )


def room_list(*entries: TableEntry, people: int = 3, preset: str = "draw") -> RoomList:
    return RoomList(preset=preset, people=people, tables=entries)


def status(*offers: Offer, waiting: int = 1, expected_ms: int | None = None, **fields: Any) -> QueueStatus:
    why = Why(code="nobody-else", message="Nobody else waits for this.")
    return QueueStatus.model_validate(
        {
            "pool": DRAW,
            "queued_at": 1_000,
            "waiting": waiting,
            "expected_ms": expected_ms,
            "why": why,
            "offers": offers,
            **fields,
        }
    )


def private_room(version: int = 1, **fields: Any) -> PrivateRoom:
    """Ada, the host, on seat 1, Ben on seat 2; a party of four."""
    return PrivateRoom.model_validate(
        {
            "code": CODE,
            "version": version,
            "host": "gada",
            "owner": "gada",
            "ruleset": {"preset": "party", "seats": 4},
            "people": [PersonInRoom(account="gada", name="Ada"), PersonInRoom(account="gben", name="Ben")],
            "seats": [
                SeatInRoom(seat=1, account="gada"),
                SeatInRoom(seat=2, account="gben"),
                SeatInRoom(seat=3),
                SeatInRoom(seat=4, strength="expert"),
            ],
            **fields,
        }
    )
