"""What people are called: as they have chosen, or by a name made from the account."""

from collections.abc import Awaitable, Callable, Iterable

from redis.asyncio import Redis

from contracts.names import fallback_name
from gateway.account_answers import AccountAnswers
from gateway.account_cache import AccountCache, Kept

Learn = Callable[[Iterable[str]], Awaitable[None]]
"""`Names.learn`, for who needs no more of it."""


class Names:
    """`changed` of every listener is called with the account whose name may have changed, if it was known here.
    `answers` is none where there is no account service: nobody has chosen a name then."""

    def __init__(self, redis: Redis, answers: AccountAnswers | None = None) -> None:
        ask = answers.names if answers is not None else None
        self._cache: AccountCache[str] = AccountCache(Kept(redis, "name"), ask, "", str, str)
        self._listeners: list[Callable[[str], None]] = []

    def on_change(self, changed: Callable[[str], None]) -> None:
        self._listeners.append(changed)

    def name_of(self, account: str) -> str:
        """The name as far as it is known here; `learn` it before."""
        return self._cache.known(account) or fallback_name(account)

    async def learn(self, accounts: Iterable[str]) -> None:
        """Looks up the names of those who are not known yet. Who cannot be looked up goes by the name made for that
        account."""
        await self._cache.learn(accounts)

    async def forget(self, accounts: Iterable[str]) -> None:
        """These accounts have changed."""
        told = list(accounts)
        known = [account for account in told if self._cache.drop(account)]
        await self._cache.forget(told)
        for account in known:
            for changed in self._listeners:
                changed(account)
