"""What many ask of the account service at once, while people wait to be shown something: bounded in number and time,
and for a moment not asked again where there was no answer."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from bus.clock import Clock
from contracts.account_inner import NAMES_MAX
from gateway.account_service import AccountsAway, AccountService
from gateway.codes import Code
from gateway.problems import ProblemError

ASKING_MAX = 4
SECONDS_MAX = 1.0
REST_SECONDS = 1.0
Found = TypeVar("Found")


class AccountAnswers:
    """Every question raises `AccountsAway`."""

    def __init__(self, service: AccountService, clock: Clock) -> None:
        self._service = service
        self._clock = clock
        self._asking = asyncio.Semaphore(ASKING_MAX)
        self._rests_until = -math.inf

    async def names(self, accounts: Sequence[str]) -> Mapping[str, str]:
        """The names of those who have chosen one."""
        found: dict[str, str] = {}
        for start in range(0, len(accounts), NAMES_MAX):
            asked = partial(self._service.profiles, accounts[start : start + NAMES_MAX])
            profiles = await self._answer(asked)
            found |= {account: profile.name for account, profile in profiles.items() if profile.name is not None}
        return found

    async def merged(self, accounts: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The guests that each of these has taken in; those who are not there are left out."""
        profiles = await self._answer(partial(self._service.profiles, accounts))
        return {account: frozenset(profile.merged) for account, profile in profiles.items()}

    async def muted(self, accounts: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Whom each of these has muted; those who are not there are left out."""
        found: dict[str, frozenset[str]] = {}
        for account in accounts:
            try:
                found[account] = await self._answer(partial(self._service.muted, account))
            except AccountsAway:
                raise
            except ProblemError:
                continue
        return found

    async def _answer(self, ask: Callable[[], Awaitable[Found]]) -> Found:
        if self._clock.monotonic() < self._rests_until:
            raise AccountsAway
        try:
            async with asyncio.timeout(SECONDS_MAX), self._asking:
                return await ask()
        except TimeoutError:
            pass
        except ProblemError as refused:
            if refused.problem.code == Code.BAD_TOKEN:
                raise  # of an account that is no more; whatever else there is, nobody here has asked wrongly
        self._rests_until = self._clock.monotonic() + REST_SECONDS
        raise AccountsAway
