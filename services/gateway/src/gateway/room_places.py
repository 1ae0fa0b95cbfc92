"""People in private rooms, as those who can be away from them."""

from collections.abc import Iterator

from contracts.message import AccountId
from gateway.hub import Hub
from gateway.places import Place
from gateway.private_rooms import PrivateRooms


class RoomPlaces:
    """`gateway.absences.Placed`. Where the rooms that somebody is in differ, that counts which is not so any more, so
    that they are told."""

    def __init__(self, rooms: PrivateRooms, hub: Hub) -> None:
        self._rooms = rooms
        self._hub = hub

    def __iter__(self) -> Iterator[AccountId]:
        return iter(self._rooms.people)

    def get(self, account: AccountId) -> Place | None:
        people = [room.people[account] for room in self._rooms.rooms_of(account)]
        if not people:
            return None
        away = [person.away for person in people]
        return Place(people[0].bot, any(away) if account in self._hub.accounts else all(away))
