"""Bells that are heard at every gateway: something in Valkey has changed, look there. (By Valkey's pub/sub.)"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from bus.tasks import Tasks, end

log = logging.getLogger(__name__)
RETRY_SECONDS = 1.0
PREFIX = "bell:"
Heard = Callable[[str], None]


class Bells:
    """Who listens to a bell is called with the word that it was rung with, and with an empty one each time this gateway
    begins to hear it, because it may have been rung before: nothing is lost that is looked for where it lies."""

    def __init__(self, redis: Redis, tasks: Tasks) -> None:
        self._redis = redis
        self._tasks = tasks
        self._listeners: dict[str, dict[Heard, None]] = {}
        self._changed: dict[str, None] = {}
        self._has_changed = asyncio.Event()
        self._hears = False

    def listen(self, bell: str, heard: Heard) -> None:
        self._listeners.setdefault(bell, {})[heard] = None
        self._change(bell)

    def leave(self, bell: str, heard: Heard) -> None:
        listeners = self._listeners.get(bell, {})
        listeners.pop(heard, None)
        if not listeners and self._listeners.pop(bell, None) is not None:
            self._change(bell)

    @property
    def changes(self) -> int:
        """How many bells begin or end to be listened to of which Valkey has not been told yet."""
        return len(self._changed)

    def _change(self, bell: str) -> None:
        if self._hears:  # else all that is listened to by then is looked at
            self._changed[bell] = None
            self._has_changed.set()

    async def ring(self, bell: str, word: str = "") -> None:
        """Raises what Valkey raises."""
        await self._redis.publish(PREFIX + bell, word)

    async def run(self) -> None:
        """Hears until it is cancelled; without Valkey nothing, and all again when it is back."""
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await self._hear(subscription)
            except (RedisError, OSError) as error:
                log.warning("bells cannot be heard", extra={"fields": {"error": type(error).__name__}})
                await self._tasks.sleep(RETRY_SECONDS)

    async def _hear(self, subscription: Any) -> None:
        """Until the connection fails."""
        await subscription.subscribe(PREFIX)  # without any there is no connection to read from
        self._hears, self._changed = True, dict.fromkeys(self._listeners)
        self._has_changed.set()
        tasks = [
            self._tasks.spawn(self._read(subscription), "bells"),
            self._tasks.spawn(self._keep_up(subscription), "bells-changed"),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hears, self._changed = False, {}
            await end(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()

    async def _keep_up(self, subscription: Any) -> None:
        """Subscribes to what is listened to, and to nothing else."""
        subscribed: set[str] = set()
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            while self._changed:
                bell = next(iter(self._changed))
                del self._changed[bell]
                if bell in self._listeners and bell not in subscribed:
                    await subscription.subscribe(PREFIX + bell)
                    subscribed.add(bell)
                elif bell not in self._listeners and bell in subscribed:
                    await subscription.unsubscribe(PREFIX + bell)
                    subscribed.discard(bell)

    async def _read(self, subscription: Any) -> None:
        while True:
            message = await subscription.get_message(timeout=None)
            if message is None or message["type"] not in ("subscribe", "message"):
                continue
            word = message["data"].decode() if message["type"] == "message" else ""
            self._tell(message["channel"].decode().removeprefix(PREFIX), word)

    def _tell(self, bell: str, word: str) -> None:
        for heard in list(self._listeners.get(bell, ())):
            heard(word)
