"""People who wait are told how their ticket stands whenever that has changed, once a second at most."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from bus.clock import BrokerTime
from bus.tasks import Tasks
from contracts.queue_api import QueueStatus
from gateway.hub import Hub
from gateway.queue_status import Statuses
from gateway.queue_view import QueueView
from gateway.session import Session

LOOK_SECONDS = 1.0
AT_ONCE = 500
"""So many people are told before others get a turn."""


class QueueNews:
    """Keeps what each socket was told last: a new one is told at the next look."""

    def __init__(self, queue: QueueView, hub: Hub, time: BrokerTime, tasks: Tasks) -> None:
        self._queue = queue
        self._hub = hub
        self._time = time
        self._tasks = tasks
        self._told: WeakKeyDictionary[Session, QueueStatus] = WeakKeyDictionary()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.tell()
            await self._tasks.sleep(LOOK_SECONDS)

    async def tell(self) -> None:
        """Everybody here who waits and for whom something is new."""
        waiting = [account for account in self._hub.accounts if account in self._queue]
        for start in range(0, len(waiting), AT_ONCE):
            self._tell(waiting[start : start + AT_ONCE], Statuses(self._queue, self._time.now()))
            await self._tasks.sleep(0)

    def _tell(self, accounts: Sequence[str], statuses: Statuses) -> None:
        for account in accounts:
            status = statuses.of(account)
            if status is None:
                continue
            text = None
            for session in self._hub.sessions_of(account):
                if self._told.get(session) != status:
                    self._told[session] = status
                    text = text or status.model_dump_json()
                    session.push(text)
