"""Whose matches are whose: a kept account has those of the guests that were merged into it, too."""

from collections.abc import Iterable

from redis.asyncio import Redis

from gateway.account_answers import AccountAnswers
from gateway.account_cache import AccountCache, Kept, as_accounts, as_text


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

    async def forget(self, accounts: Iterable[str]) -> None:
        """These accounts have changed."""
        await self._cache.forget(accounts)
