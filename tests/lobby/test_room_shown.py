"""What a gateway folds of a private room is the room that its decider knows."""

import random
from dataclasses import dataclass

from hypothesis import given, settings
from tests.lobby.room_world import SEEDS, World

from contracts.lobby import LobbyEvent
from contracts.room import RoomEvents, RoomSeat
from contracts.room_api import PrivateRoom
from gateway import private_room
from lobby.room.state import Closed, Playing, Starting


@dataclass
class Watched(World):
    """`seen` is the room as a gateway keeps it."""

    seen: private_room.Room | None = None

    def note(self, event: LobbyEvent) -> None:
        super().note(event)
        assert isinstance(event, RoomEvents)
        self.seen = private_room.evolve(self.seen, event, "ABC234")

    def check(self) -> None:
        super().check()
        if self.seen is None or self.state is None:
            return
        view = private_room.view(self.seen, lambda account: account, 0)
        assert view.closed == isinstance(self.state, Closed)
        if self.room is not None:
            self.compare(view)

    def compare(self, view: PrivateRoom) -> None:
        room = self.room
        assert room is not None
        assert (view.host, view.owner, view.ruleset) == (room.host, room.owner, room.ruleset)
        assert [(person.account, person.bot, person.away) for person in view.people] == [
            (person.account, person.bot, person.away_at is not None) for person in room.people
        ]
        assert tuple(RoomSeat(account=seat.account, strength=seat.strength) for seat in view.seats) == room.seats
        assert view.starting == isinstance(self.state, Starting)
        assert view.running == isinstance(self.state, Playing)
        if isinstance(self.state, Playing):
            assert view.table_id == self.state.table_id


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_people_are_shown_the_room_that_is_decided_on(seed: int) -> None:
    world = Watched(random.Random(seed))
    world.live()
    assert world.seen is not None
