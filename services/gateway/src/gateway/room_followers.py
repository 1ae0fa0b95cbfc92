"""Who follows the list of which public room. Changes go out together every 100 ms, or as much less often as many
followers need to be told of them, written once for all."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import islice

from bus.clock import BrokerTime
from bus.tasks import Tasks
from contracts.message import AccountId, TableId
from contracts.queue_api import RoomChanges, RoomList
from contracts.region import Preset
from domino_rules.ruleset import PRESETS
from gateway.names import Learn
from gateway.presence import REFRESH_SECONDS, Presence, PresenceUnknown
from gateway.public_tables import PublicTable, PublicTables
from gateway.watched import Watcher

FLUSH_SECONDS = 0.1
FLUSH_SECONDS_MAX = 0.5
SENDING_SECONDS = 0.0003
"""What telling one follower may cost, all in: three hundred can be told every 100 ms, and more of them less often."""
COUNT_SECONDS = 1.0
LISTED_MAX = 500
"""Tables in a list at first; what has been there for longer is found page by page over HTTP."""
LIST_MS = 1_000
"""A list of five hundred tables takes 30 ms to write: who comes within a second of one gets it, and what has changed
since."""
CHANGES_MAX = 100


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list as it was written at the broker time `at`, and the tables that have changed since."""

    text: str
    at: int
    people: int
    changed: dict[TableId, None] = field(default_factory=dict)


class RoomFollowers:
    """`learn` looks up the names of people before they are shown."""

    def __init__(
        self,
        tables: PublicTables,
        presence: Presence,
        learn: Learn,
        time: BrokerTime,
        tasks: Tasks,
    ) -> None:
        self._tables = tables
        self._presence = presence
        self._learn = learn
        self._time = time
        self._tasks = tasks
        self._followers: dict[Preset, dict[Watcher, None]] = {preset: {} for preset in PRESETS}
        self._newcomers: dict[Preset, dict[Watcher, None]] = {preset: {} for preset in PRESETS}
        self._listed: dict[Preset, _Listed] = {}
        self._people: dict[Preset, int] = dict.fromkeys(PRESETS, 0)
        self._recounted: set[Preset] = set()
        self._moved: set[Preset] = set()
        self._left: dict[Preset, dict[AccountId, None]] = {preset: {} for preset in PRESETS}

    # ---- who follows

    def follow(self, preset: Preset, watcher: Watcher) -> None:
        """The whole list at the next flush, then its changes. Again: the list once more."""
        self._followers[preset].pop(watcher, None)
        self._newcomers[preset][watcher] = None
        self._moved.add(preset)

    def unfollow(self, preset: Preset, watcher: Watcher) -> None:
        for watchers in (self._followers[preset], self._newcomers[preset]):
            watchers.pop(watcher, None)
        self._left[preset][watcher.account] = None
        self._moved.add(preset)

    def people(self, preset: Preset) -> int:
        """How many people looked at the room when they were last counted."""
        return self._people[preset]

    def _here(self, preset: Preset) -> dict[AccountId, None]:
        return dict.fromkeys(watcher.account for watcher in (*self._followers[preset], *self._newcomers[preset]))

    # ---- the lists

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.flush()
            await self._tasks.sleep(self.pause)

    @property
    def pause(self) -> float:
        """Seconds from one flush to the next."""
        followers = sum(len(watchers) for watchers in self._followers.values())
        return min(max(FLUSH_SECONDS, followers * SENDING_SECONDS), FLUSH_SECONDS_MAX)

    async def flush(self) -> None:
        changed, recounted = self._tables.take_changes(), self._recounted
        self._recounted = set()
        for preset in PRESETS:
            self._note_changes(preset, changed.get(preset, ()))
            news = preset in changed or preset in recounted
            if self._newcomers[preset] or (self._followers[preset] and news):
                await self._flush(preset, changed.get(preset, ()), news)

    async def _flush(self, preset: Preset, changed: Collection[TableId], news: bool) -> None:
        if len(changed) > LISTED_MAX:  # the whole list is shorter
            self._newcomers[preset] |= self._followers[preset]
            self._followers[preset] = {}
        tables, listed = self._still(changed), self._fresh(preset)
        if self._newcomers[preset]:
            tables += self._still(listed.changed) if listed is not None else self._first(preset)
        await self._learn({seat.account for table in tables for seat in table.seats})
        if self._followers[preset] and news:
            self._push(self._followers[preset], self._changes(preset, changed))
        if self._newcomers[preset]:
            newcomers, self._newcomers[preset] = self._newcomers[preset], {}
            self._welcome(preset, newcomers, listed)
            self._followers[preset] |= newcomers

    def _note_changes(self, preset: Preset, changed: Iterable[TableId]) -> None:
        listed = self._listed.get(preset)
        if listed is not None:
            listed.changed.update(dict.fromkeys(changed))
            if len(listed.changed) > CHANGES_MAX:
                del self._listed[preset]

    def _fresh(self, preset: Preset) -> _Listed | None:
        """The list as it was written less than a second ago."""
        listed = self._listed.get(preset)
        return listed if listed is not None and self._time.now() - listed.at < LIST_MS else None

    def _welcome(self, preset: Preset, newcomers: Iterable[Watcher], listed: _Listed | None) -> None:
        if listed is None:
            text, people = self._list(preset).model_dump_json(), self._people[preset]
            listed = self._listed[preset] = _Listed(text, self._time.now(), people)
        for watcher in newcomers:
            watcher.push(listed.text)
        if listed.changed or listed.people != self._people[preset]:
            self._push(newcomers, self._changes(preset, listed.changed))

    def _first(self, preset: Preset) -> list[PublicTable]:
        return list(islice(self._tables.in_order(preset), LISTED_MAX))

    def _still(self, table_ids: Iterable[TableId]) -> list[PublicTable]:
        return [table for table_id in table_ids if (table := self._tables.table(table_id)) is not None]

    def _changes(self, preset: Preset, changed: Collection[TableId]) -> RoomChanges:
        still = self._still(changed)
        gone = set(changed) - {table.table_id for table in still}
        return RoomChanges(
            preset=preset,
            people=self._people[preset],
            changed=tuple(self._tables.entry(table) for table in still),
            gone=tuple(table_id for table_id in changed if table_id in gone),
        )

    def _list(self, preset: Preset) -> RoomList:
        entries = tuple(self._tables.entry(table) for table in self._first(preset))
        return RoomList(preset=preset, people=self._people[preset], tables=entries)

    def _push(self, watchers: Iterable[Watcher], message: RoomChanges) -> None:
        text = message.model_dump_json()
        for watcher in watchers:
            watcher.push(text)

    # ---- the people

    async def count_people(self) -> None:
        """Until cancelled: rooms that somebody here came to or left are counted at once, all others now and then."""
        looks = 0
        while True:
            every = looks % round(REFRESH_SECONDS / COUNT_SECONDS) == 0
            for preset in PRESETS:
                if every or preset in self._moved:
                    await self.count(preset)
            looks += 1
            await self._tasks.sleep(COUNT_SECONDS)

    async def count(self, preset: Preset) -> None:
        """Says who is in the room here, and takes the number of all gateways; without Valkey, that of this one."""
        self._moved.discard(preset)
        here = self._here(preset)
        left, self._left[preset] = self._left[preset].keys() - here.keys(), {}
        try:
            people = await self._presence.in_room(preset, here, left, self._time.now())
        except PresenceUnknown:
            people = len(self._here(preset))
        if people != self._people[preset]:
            self._people[preset] = people
            self._recounted.add(preset)
