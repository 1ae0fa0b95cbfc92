"""What people share beside the games: names, talk, private rooms and their screens."""

from dataclasses import dataclass
from typing import Self

from redis.asyncio import Redis

from bus.clock import BrokerTime, Clock
from bus.tasks import Tasks
from gateway.account_answers import AccountAnswers
from gateway.admission import Admission
from gateway.bells import Bells
from gateway.codes_guard import CodesGuard
from gateway.links import BY_ADDRESS, Links
from gateway.merged import Merged
from gateway.mutes import Mutes
from gateway.names import Names
from gateway.private_rooms import PrivateRooms
from gateway.room_session import RoomDesk
from gateway.screens import Screens
from gateway.tables import Tables
from gateway.talk import Talks
from gateway.whereabouts import Whereabouts


@dataclass(frozen=True, slots=True)
class Company:
    """The parts, in the order in which they are built on each other."""

    bells: Bells
    names: Names
    merged: Merged
    mutes: Mutes
    talks: Talks
    screens: Screens
    rooms: PrivateRooms
    admission: Admission

    @classmethod
    def of(
        cls,
        redis: Redis,
        clock: Clock,
        time: BrokerTime,
        tasks: Tasks,
        links: Links = BY_ADDRESS,
        answers: AccountAnswers | None = None,
    ) -> Self:
        bells = Bells(redis, tasks)
        names, merged = Names(redis, answers), Merged(redis, answers)
        mutes = Mutes(redis, bells, merged, answers)
        talks = Talks(redis, bells, names, mutes, time, tasks)
        screens = Screens(redis, bells, clock)
        rooms = PrivateRooms(names, screens, talks, bells, links, tasks)
        return cls(
            bells, names, merged, mutes, talks, screens, rooms, Admission(rooms, CodesGuard(redis, clock), screens)
        )

    def desk(self, tables: Tables, whereabouts: Whereabouts, tasks: Tasks) -> RoomDesk:
        return RoomDesk(self.rooms, self.admission, self.screens, self.talks, tables, whereabouts, tasks)
