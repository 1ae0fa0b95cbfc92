"""Whose matches are whose: a kept account has those of the guests that were merged into it, too."""

import asyncio
from collections.abc import Iterable, Mapping

from redis.asyncio import Redis

from contracts.account import AccountState
from gateway.account_answers import AccountAnswers
from gateway.account_cache import AccountCache, Kept, as_accounts, as_text
from gateway.identity import Identity

PLAYERS_SECONDS_MAX = 1.0
"""Nobody waits longer at the door: what is not known by then is told when the account's guests are heard of."""


class Merged:
    """`answers` is none where there is no account service: nobody was merged then."""

    def __init__(self, redis: Redis, answers: AccountAnswers | None = None) -> None:
        ask = answers.merged if answers is not None else None
        self._cache: AccountCache[frozenset[str]] = AccountCache(
            Kept(redis, "merged"), ask, frozenset(), as_text, as_accounts
        )

    async def with_guests(self, account: str) -> frozenset[str]:
        """The account and its guests; the account alone where they cannot be looked up just now."""
        found = await self._cache.learn([account])
        return found.get(account, frozenset()) | {account}

    async def guests_of(self, accounts: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """The guests of each of these, less those that cannot be looked up just now."""
        return await self._cache.learn(accounts)

    async def players(self, identity: Identity) -> tuple[str, ...]:
        """As whom somebody sits at tables, the first that has a seat there: the account itself, and its guests."""
        if not identity.has_guests:
            return (identity.account,)
        try:
            async with asyncio.timeout(PLAYERS_SECONDS_MAX):
                found = await self.with_guests(identity.account)
        except TimeoutError:
            return (identity.account,)
        return (identity.account, *sorted(found - {identity.account}))

    def heard(self, state: AccountState) -> None:
        """An account's newest state: what is just being looked up may be older. A new account has no guests."""
        if state.version == 1:
            self._cache.know(state.account, frozenset())
        else:
            self._cache.drop(state.account)

    async def forget(self, accounts: Iterable[str]) -> None:
        """These accounts have changed."""
        await self._cache.forget(accounts)
