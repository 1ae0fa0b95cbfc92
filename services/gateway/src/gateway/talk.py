"""What people say at tables and in private rooms: a stream in Valkey each, gone after a day, and in no log."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from pydantic import ValidationError
from redis.asyncio import Redis

from bus.clock import BrokerTime
from bus.tasks import Tasks
from contracts.room_api import Phrase, Talk
from gateway.bells import Bells
from gateway.mutes import Mutes, MutesUnavailable
from gateway.names import Names
from gateway.valkey import ValkeyAway, answering

log = logging.getLogger(__name__)
SAID_MAX = 5
SAID_MS = 10_000
ID_KNOWN_MS = 60_000
KEPT_MS = 24 * 60 * 60 * 1000
KEPT_MAX = 200
PAST_MAX = 50
ANSWER_SECONDS_MAX = 1.0
FIRST = b"0-0"
Entry = tuple[bytes, dict[bytes, bytes]]

# KEYS: what the person has said of late, the place's stream. ARGV: how much in how many ms, how long and how many are
# kept, the bell, the id or nothing, for how many ms it is known, then the fields. 0 when it is too much.
_SAY = """
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[7]))
if ARGV[6] ~= '' and redis.call('ZSCORE', KEYS[1], ARGV[6]) then return 1 end
local since = string.format('(%d', now - tonumber(ARGV[2]))
if redis.call('ZCOUNT', KEYS[1], since, '+inf') >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[6] ~= '' and ARGV[6] or time[1] .. '.' .. time[2])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[4], '*', unpack(ARGV, 8))
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%d', now - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PUBLISH', ARGV[5], '')
return 1
"""


class TalkUnavailable(Exception):
    """Nothing can be said just now."""


class TooMuchTalk(Exception):
    """Five things in ten seconds is enough."""


class Listener(Protocol):
    """One socket."""

    @property
    def account(self) -> str: ...

    @property
    def accounts(self) -> tuple[str, ...]:
        """Itself first, then the guests that are it by now."""
        ...

    def push(self, text: str) -> None: ...


class Place:
    """A table or a room, as somewhere to talk; `hears` says who of its listeners may hear."""

    def __init__(
        self, name: str, hears: Callable[[str], bool], *, table_id: str | None = None, code: str | None = None
    ) -> None:
        self.name = name
        self.hears = hears
        self.table_id = table_id
        self.code = code

    @property
    def bell(self) -> str:
        return f"talk:{self.name}"


class _Listening:
    """A place that somebody here listens to. `listeners` are told whether they have heard the past already; `newest` is
    the id of what has been passed on last, None before the first reading."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.listeners: dict[Listener, bool] = {}
        self.newest: bytes | None = None
        self.lock = asyncio.Lock()
        self.reading: asyncio.Task[None] | None = None
        self.rung = False
        self.heard: Callable[[str], None] = lambda _: None


class Talks:
    """Passes on what is said at whichever gateway, in order. Nothing said goes to who has muted its speaker."""

    def __init__(self, redis: Redis, bells: Bells, names: Names, mutes: Mutes, time: BrokerTime, tasks: Tasks) -> None:
        self._redis: Any = redis
        self._bells = bells
        self._names = names
        self._mutes = mutes
        self._time = time
        self._tasks = tasks
        self._say: Any = redis.register_script(_SAY)
        self._places: dict[str, _Listening] = {}

    @property
    def places(self) -> int:
        """How many places somebody here listens to."""
        return len(self._places)

    async def say(
        self,
        account: str,
        place: Place,
        phrase: Phrase | None,
        text: str | None,
        said_id: str | None = None,
        *,
        person: str | None = None,
    ) -> None:
        """Once for an id, within a minute; `person` is whose guest `account` was. Raises `TooMuchTalk` or
        `TalkUnavailable`."""
        person = person or account
        said = ["by", account, "of", person, *(["phrase", phrase] if phrase is not None else ["text", text or ""])]
        bell = f"bell:{place.bell}"
        arguments = [SAID_MAX, SAID_MS, KEPT_MS, KEPT_MAX, bell, said_id or "", ID_KNOWN_MS, *said]
        async with answering(ANSWER_SECONDS_MAX, "talk cannot be passed on", TalkUnavailable):
            if not await self._say(keys=[f"said:{person}", place.bell], args=arguments):
                raise TooMuchTalk

    async def listen(self, place: Place, listener: Listener, past: int = 0) -> None:
        """From now on `listener` hears what is said there, and first the last `past` things that were."""
        listening = self._places.get(place.name)
        if listening is None:
            listening = self._places[place.name] = _Listening(place)
            listening.heard = lambda _: self._ring(listening)
            self._bells.listen(place.bell, listening.heard)
        listening.listeners[listener] = False
        async with listening.lock:
            entries = await self._newest(listening.place, max(past, 1))
            if listening.newest is None and entries is not None:
                listening.newest = entries[-1][0] if entries else FIRST
            if listener not in listening.listeners:
                return
            listening.listeners[listener] = True
            if past and entries and listening.newest is not None:
                before = [entry for entry in entries if _parts(entry[0]) <= _parts(listening.newest)]
                await self._pass_on(listening.place, before, [listener])

    def leave(self, place: Place, listener: Listener) -> None:
        listening = self._places.get(place.name)
        if listening is None:
            return
        listening.listeners.pop(listener, None)
        if not listening.listeners:
            del self._places[place.name]
            self._bells.leave(listening.place.bell, listening.heard)

    def _ring(self, listening: _Listening) -> None:
        listening.rung = True
        if listening.reading is None or listening.reading.done():
            listening.reading = self._tasks.spawn(self._catch_up(listening), "talk")

    async def _catch_up(self, listening: _Listening) -> None:
        while listening.rung:
            listening.rung = False
            async with listening.lock:
                if listening.newest is None:  # there was no Valkey when somebody came
                    entries = await self._newest(listening.place, PAST_MAX)
                else:
                    entries = await self._after(listening.place, listening.newest)
                if entries:
                    listening.newest = entries[-1][0]
                    ready = [listener for listener, told in listening.listeners.items() if told]
                    await self._pass_on(listening.place, entries, ready)

    async def _newest(self, place: Place, count: int) -> list[Entry] | None:
        """The last that were said, oldest first."""
        oldest = f"{self._time.now() - KEPT_MS}"
        entries = await self._read(self._redis.xrevrange(place.bell, "+", oldest, count))
        return entries[::-1] if entries is not None else None

    async def _after(self, place: Place, number: bytes) -> list[Entry] | None:
        return await self._read(self._redis.xrange(place.bell, b"(" + number, "+", KEPT_MAX))

    async def _read(self, answer: Awaitable[list[Entry]]) -> list[Entry] | None:
        """None without Valkey: the bell is rung again when it is back."""
        try:
            async with answering(ANSWER_SECONDS_MAX, "talk cannot be heard"):
                return list(await answer)
        except ValkeyAway:
            return None

    async def _pass_on(self, place: Place, entries: list[Entry], listeners: list[Listener]) -> None:
        await self._names.learn({_text(fields, b"by") for _, fields in entries})
        talks = [(talk, _speakers(entry)) for entry in entries if (talk := self._talk(place, entry)) is not None]
        all_speakers = frozenset(speaker for _, speakers in talks for speaker in speakers)
        for listener in listeners:
            if not talks or not any(map(place.hears, listener.accounts)):
                continue
            try:
                unheard = await self._mutes.among(all_speakers, listener.account)
            except MutesUnavailable:
                continue
            for talk, speakers in talks:
                if unheard.isdisjoint(speakers):
                    listener.push(talk.model_dump_json())

    def _talk(self, place: Place, entry: Entry) -> Talk | None:
        """None for what this version cannot read: others said before and after it are heard."""
        number, fields = entry
        said = {name.decode(): value.decode(errors="replace") for name, value in fields.items()}
        said_by = said.get("by", "")
        try:
            return Talk(
                said_by=said_by,
                name=self._names.name_of(said_by),
                at=int(number.partition(b"-")[0]),
                table_id=place.table_id,
                code=place.code,
                phrase=cast(Phrase | None, said.get("phrase")),
                text=said.get("text"),
            )
        except ValidationError:
            log.warning("something that was said cannot be read")
            return None


def _text(fields: dict[bytes, bytes], name: bytes) -> str:
    return fields.get(name, b"").decode(errors="replace")


def _speakers(entry: Entry) -> set[str]:
    """Who has said it, and whose guest that was."""
    return {_text(entry[1], name) for name in (b"by", b"of")} - {""}


def _parts(number: bytes) -> tuple[int, int]:
    """The id of an entry, to compare."""
    milliseconds, _, counted = number.partition(b"-")
    return int(milliseconds), int(counted)
