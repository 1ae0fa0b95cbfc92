"""Who is the host of a private room: who opened it or got it handed over, or who stands in while that one is away."""

from typing import Final

from bus.decider import Deadline
from contracts.room import HostChanged
from lobby.room.state import PersonHere, Room

AWAY_MS: Final = 60_000
"""A host who is away for so long is stood in for, as soon as there is somebody to do so."""


def host_change(room: Room, at: int) -> HostChanged | None:
    """What has to follow at log time `at` (ms) in a room with somebody in it, for it to have its rightful host."""
    owner, host = room.person(room.owner), room.person(room.host)
    if owner is None:
        heir = host or _stand_in(room) or room.people[0]
        return HostChanged(account=heir.account, reason="left")
    if owner.away_at is None:
        return None if host is owner else HostChanged(account=room.owner, reason="returned")
    gone = host is None or (host.away_at is not None and at - host.away_at >= AWAY_MS)
    stand_in = _stand_in(room) if gone else None
    if stand_in is not None:
        return HostChanged(account=stand_in.account, reason="away")
    return HostChanged(account=room.owner, reason="returned") if host is None else None


def host_deadline(room: Room) -> Deadline | None:
    """When somebody stands in for the host; none while nobody could. After that time `host_change` knows it at once
    whatever happens, so that the same name is never given twice."""
    host = room.person(room.host)
    if host is None or host.away_at is None or _stand_in(room) is None:
        return None
    return Deadline("host", f"host-{host.away_at}", host.away_at, host.away_at + AWAY_MS)


def _stand_in(room: Room) -> PersonHere | None:
    """Of those who are here and not the host the one who has been in the room longest; a program only where there is
    no person."""
    here = [person for person in room.people if person.away_at is None and person.account != room.host]
    return min(here, key=lambda person: person.bot, default=None)
