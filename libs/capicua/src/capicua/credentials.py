"""What proves an account: the secret that a client keeps, and the access tokens for which it is exchanged.

Only the secret is worth keeping: an access token is good for some minutes.
"""

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable
from random import Random

from capicua.cancelled import cancelled
from capicua.errors import CapicuaError, Closed
from contracts.account_api import Access

log = logging.getLogger(__name__)

SECRET = re.compile(r"[A-Za-z0-9_-]{16,128}")
RENEWED_AFTER = (0.6, 0.8)
"""Of the time that a token is good: clients that came at once do not all come again at once."""
ASK_AGAIN_SECONDS = 5.0

Exchange = Callable[[str], Awaitable[Access]]
"""Gives the access token of a secret. Raises `SignedOut` for a secret that is good no more, or `Unreachable`."""


class Credentials:
    """`now` counts seconds and never goes back. However many ask at once, one renewal is under way."""

    def __init__(self, exchange: Exchange, randomness: Random, now: Callable[[], float] = time.monotonic) -> None:
        self.account: str | None = None
        """None until the server has told it."""
        self._exchange = exchange
        self._randomness = randomness
        self._now = now
        self._secret: str | None = None
        self._access: str | None = None
        self._good_until = math.inf
        self._renew_at = math.inf
        self._renewing: asyncio.Task[None] | None = None

    @property
    def kept(self) -> str | None:
        """What to come back with: the secret, or an access token that nothing renews."""
        return self._secret or self._access

    def keep(self, token: str | None) -> None:
        """What somebody had kept. What is shaped like a secret is one, of a session or a personal token; anything else
        is an access token, and is used as it is."""
        if token is None or not SECRET.fullmatch(token):
            self.hold(token)
        else:
            self._secret, self._access = token, None
            self._good_until = self._renew_at = -math.inf

    def hold(self, access_token: str | None) -> None:
        """One that nothing renews, or none."""
        self._secret, self._access = None, access_token
        self._good_until = self._renew_at = math.inf

    def take(self, secret: str, access: Access) -> None:
        """What the server has just given."""
        earliest, latest = RENEWED_AFTER
        self.account, self._secret, self._access = access.account, secret, access.token
        self._good_until = self._now() + access.seconds
        self._renew_at = self._now() + access.seconds * self._randomness.uniform(earliest, latest)

    async def access(self) -> str | None:
        """The token that is good now; none: nobody. It is renewed before it runs out, and while that cannot be done the
        one there is goes on. Raises what stands in the way once it has run out."""
        if self._now() >= self._good_until:
            await self._renewed()
        else:
            self.freshen()
        return self._access

    def freshen(self) -> None:
        """Begins to renew the token if it is time; nobody waits for it."""
        if self._now() >= self._renew_at:
            self._begin()

    async def replaced(self, refused: str | None) -> bool:
        """Whether there is another token than this one, which the server has refused. Raises what stands in the way."""
        if self._secret is not None and self._access == refused:
            await self._renewed()
        return self._access != refused

    async def close(self) -> None:
        """Whoever waits for a renewal gets `Closed`."""
        await cancelled([self._renewing])

    async def _renewed(self) -> None:
        renewing = self._begin()
        try:
            await asyncio.shield(renewing)
        except asyncio.CancelledError:
            asker = asyncio.current_task()
            if renewing.cancelled() and asker is not None and not asker.cancelling():
                raise Closed("the client was closed") from None
            raise

    def _begin(self) -> "asyncio.Task[None]":
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew(self._secret or ""))
            self._renewing.add_done_callback(self._ended)
        return self._renewing

    async def _renew(self, secret: str) -> None:
        access = await self._exchange(secret)
        if self._secret == secret:
            self.take(secret, access)

    def _ended(self, renewing: "asyncio.Task[None]") -> None:
        self._renewing = None
        error = None if renewing.cancelled() else renewing.exception()
        if error is not None:
            self._renew_at = self._now() + ASK_AGAIN_SECONDS * self._randomness.uniform(0.5, 1.0)
            level = logging.INFO if isinstance(error, CapicuaError) else logging.ERROR
            log.log(level, "the access token could not be renewed: %s", type(error).__name__)
