"""What an owner hears of its partition: that the log shows what it appends, and goes by a clock like its own.

When it does not, an outage may be under way that changes deadlines: nothing is decided until the log has shown how long
it was. Silence shows by itself. A jump of the clock, when a new leader's is ahead of the old one's, shows only to whom
has a clock of its own: the owner's next heartbeat tells everybody.
"""

import logging
import math
from collections import deque
from collections.abc import Sequence

from bus.clock import Clock, Lead
from bus.header import Claim, Jump
from bus.outages import JUMP_MS, Outage
from bus.records import Record

log = logging.getLogger(__name__)

SILENT_SECONDS_MAX = 2.0
TELLS_OF_SILENCES = Jump(0, 0)
"""What the first heartbeat of a claim says: a silence counts when its owner has told of it. Readers of before find no
jump in it."""
LATE_SECONDS = 15.0
"""What an abandoned writer still sends lands no later than this behind the claim of whoever came next."""


class Hearing:
    """Deadlines go by the clock of the commands' leader, outages by that of the events': both are watched as one.

    A record that was read late makes the log's clock look slow, never fast. So what looks half a second ahead of all
    that was read in the last half minute has jumped, however slow the brokers are.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lead = Lead()
        self._passed = 0
        self._newest = 0
        self._owning = False
        self._claimed_at = self._heard_at = -math.inf
        self._commands_end = 0
        self._beats: deque[float] = deque()
        self._jumps: deque[Jump] = deque()
        self._under_way = 0
        self._silent_at = -1

    def claimed(self, commands_end: int) -> None:
        """The log has shown the owner's claim, made at this end of the commands: from now on jumps are told."""
        self._owning = True
        self._claimed_at = self._clock.monotonic()
        self._commands_end = commands_end
        self._jumps.append(TELLS_OF_SILENCES)

    def may_be_late(self, other: Claim) -> bool:
        """Whether a claim behind the owner's own may have been made before it, by a member who had the partition."""
        young = self._clock.monotonic() - self._claimed_at < LATE_SECONDS
        return young and other.commands_end <= self._commands_end

    def dropped(self) -> None:
        """Whoever claims the partition next knows only for how long nobody was heard."""
        self._owning, self._heard_at = False, -math.inf
        self._beats.clear()
        self._jumps.clear()
        self._under_way = 0

    def read(self, record: Record) -> None:
        """A record of the partition's events or commands has just been read."""
        now = self._clock.monotonic()
        if record.timestamp >= self._newest:  # what waited to be read says nothing of what has passed since
            self._newest, self._passed = record.timestamp, record.passed
        ahead, known = record.timestamp - now * 1000, self._lead.at(now)
        if self._owning and known is not None and ahead - known > JUMP_MS:
            log.warning("%s:%d: the clock went ahead by %d ms", record.topic, record.partition, ahead - known)
            self._jumps.append(Jump(record.log_time - round(ahead - known), record.log_time))
        self._lead.learn(ahead, now)

    def now(self, at: int) -> int:
        """Log time by the partition's own clocks, for a command of the time `at`, and not before that: what the leaders
        of other partitions show is not its own, and what its own showed before it was set back is soon forgotten."""
        now = self._clock.monotonic()
        lead = self._lead.at(now)
        return at if lead is None else max(at, round(lead + now * 1000) + self._passed)

    def silent(self, untold: Sequence[Outage]) -> None:
        """The log has shown these silences between records in the owner's name: none may be decided upon untold."""
        for begin, end in untold:
            if begin > self._silent_at:
                self._silent_at = begin
                self._jumps.append(Jump(begin, end))

    def tell(self) -> Jump | None:
        """What the heartbeat that is about to be appended says."""
        self._beats.append(self._clock.monotonic())
        if self._under_way == len(self._jumps):
            return None
        self._under_way += 1
        return self._jumps[self._under_way - 1]

    def heard(self, jump: Jump | None = None) -> None:
        """The log has shown a heartbeat in the owner's name, and told of `jump` by it; it may be a stranger's.

        The log was alive when it was sent: that it is read now says nothing of now, it may have waited for long.
        """
        if self._beats:
            self._heard_at = self._beats.popleft()
        if jump is not None and self._under_way:
            self._jumps.popleft()
            self._under_way -= 1

    @property
    def waits(self) -> bool:
        """Whether nothing may be decided until the log has shown more."""
        return bool(self._jumps) or self._clock.monotonic() - self._heard_at > SILENT_SECONDS_MAX
