"""What becomes of a command that kills whoever decides it: found out, and answered without being read."""

import asyncio
import logging

from bus.records import TopicPartition
from bus.validity import Validity

log = logging.getLogger(__name__)

SUSPECT_CLAIMS = 2
CONVICTED_CLAIMS = 3


class Suspicion:
    """One owner's part in it. `court` is shared by the owners of a process: of all partitions whose last claims decided
    nothing though commands waited, one at a time is worked, up to its first confirmed outcome, and meanwhile no other
    partition at all, so that a process that dies testifies against what it died of."""

    def __init__(self, court: asyncio.Lock, commands: TopicPartition) -> None:
        self._court = court
        self._commands = commands
        self._holds = False
        self._survived = False
        self.poisoned: int | None = None
        """The command that is a fault unread."""
        self._sent = False

    async def weigh(self, validity: Validity) -> bool:
        """Called before a claim; waits its turn if the partition is under suspicion. Whether the claim is made alone.

        A claim of this very process was not its end, so that it testifies against nobody.
        """
        fruitless, alone = validity.trials.ended(validity.next_command)
        self.poisoned = validity.next_command if alone >= CONVICTED_CLAIMS else None
        if fruitless < SUSPECT_CLAIMS:
            return False
        log.warning("%s:%d: %d claims in a row have decided nothing", *self._commands, fruitless)
        await self._court.acquire()
        self._holds = True
        return not self._survived

    @property
    def waits(self) -> bool:
        """Whether nothing may be decided now: to die of it would testify against the first command under suspicion,
        which is decided and not confirmed, or is about to be by another owner of this process."""
        return self._sent if self._holds else self._court.locked()

    def sent(self) -> None:
        """An outcome is under way."""
        self._sent = self._holds

    def decided(self) -> None:
        """An outcome is confirmed."""
        self._leave()
        self._survived = False

    def dropped(self) -> None:
        """The owner gives up its claim, and lives."""
        if self._holds:
            self._leave()
            self._survived = True

    def _leave(self) -> None:
        if self._holds:
            self._court.release()
            self._holds = self._sent = False
