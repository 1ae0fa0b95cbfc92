"""The public part of a region: its queue and rooms as this gateway's people see them, and who of them is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from fastapi import APIRouter
from redis.asyncio import Redis

from bus.clock import BrokerTime
from bus.parts import Parts
from bus.process import Step
from gateway.absences import Absences
from gateway.hub import Hub
from gateway.merged import Merged
from gateway.my_tables import FinishedTables, my_tables_routes
from gateway.names import Names
from gateway.presence import Presence
from gateway.public_routes import public_routes
from gateway.queue import Lobby, queue_routes
from gateway.queue_news import QueueNews
from gateway.region import RegionHere
from gateway.room_followers import RoomFollowers
from gateway.whereabouts import Whereabouts


@dataclass(frozen=True, slots=True)
class Public:
    """The parts, in the order in which they are built on each other."""

    region: RegionHere
    names: Names
    presence: Presence
    followers: RoomFollowers
    finished: FinishedTables
    time: BrokerTime

    @classmethod
    def of(cls, redis: Redis, region: str, names: Names, parts: Parts) -> Self:
        here = RegionHere(region, names.name_of)
        names.on_change(here.tables.renamed)
        presence = Presence(redis, region, parts.entropy(8).hex())
        followers = RoomFollowers(here.tables, presence, names.learn, parts.time, parts.tasks)
        return cls(here, names, presence, followers, FinishedTables(redis), parts.time)

    def routes(self, lobby: Lobby, whereabouts: Whereabouts, merged: Merged) -> tuple[APIRouter, ...]:
        region, learn = self.region, self.names.learn
        return (
            queue_routes(lobby, region.queue, self.time),
            public_routes(lobby, region, self.followers, learn),
            my_tables_routes(whereabouts, self.finished, merged, region.person, learn),
        )

    def loops(self, hub: Hub, absences: Absences, parts: Parts) -> Sequence[Step]:
        """To run when the logs have been read."""
        news = QueueNews(self.region.queue, hub, parts.time, parts.tasks)
        return self.followers.run, self.followers.count_people, news.run, absences.run

    def absences(self, hub: Hub, lobby: Lobby, parts: Parts) -> Absences:
        places = self.region.places
        return Absences(places, hub, self.presence, lobby.note, parts.clock, parts.time, parts.tasks)
