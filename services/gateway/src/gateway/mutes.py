"""Whose talk somebody does not want to hear."""

from redis.asyncio import Redis

from gateway.account_answers import AccountAnswers
from gateway.account_cache import ANSWER_SECONDS_MAX, AccountCache, Kept, as_accounts, as_text
from gateway.bells import Bells
from gateway.merged import Merged
from gateway.valkey import answering

BELL = "mutes"


class MutesUnavailable(Exception):
    """Mutes cannot be read, or their change cannot be told to all gateways, just now."""


class Mutes:
    """Known here for those who heard talk last; forgotten when a bell says that they have changed. `answers` is none
    where there is no account service: nobody has muted anybody then.

    Who has muted a guest does not hear the account either that the guest was `merged` into. Nobody's list says so: it
    would tell others who the guest is by now.
    """

    def __init__(self, redis: Redis, bells: Bells, merged: Merged, answers: AccountAnswers | None = None) -> None:
        ask = answers.muted if answers is not None else None
        self._cache: AccountCache[frozenset[str]] = AccountCache(
            Kept(redis, "muted"), ask, frozenset(), as_text, as_accounts
        )
        self._bells = bells
        self._merged = merged
        bells.listen(BELL, self._heard)

    async def of(self, account: str) -> frozenset[str]:
        """Whom `account` has muted. Raises `MutesUnavailable`."""
        found = await self._cache.learn([account])
        if account not in found:
            raise MutesUnavailable
        return found[account]

    async def among(self, speakers: frozenset[str], account: str) -> frozenset[str]:
        """Whom of `speakers` the account does not hear: who is muted, whose guest is, and, where anybody is muted, of
        whom it cannot be known just now. Raises `MutesUnavailable`."""
        muted = await self.of(account)
        if not muted:
            return frozenset()
        guests = await self._merged.guests_of(speakers)
        heard = {speaker for speaker, found in guests.items() if muted.isdisjoint({speaker, *found})}
        return speakers - heard

    async def changed(self, account: str) -> None:
        """Somebody is muted or heard again by `account`: all gateways are told. Raises `MutesUnavailable`."""
        if not await self._cache.forget([account]):
            raise MutesUnavailable
        async with answering(ANSWER_SECONDS_MAX, "a change of mutes cannot be told", MutesUnavailable):
            await self._bells.ring(BELL, account)

    async def forget(self, accounts: list[str]) -> None:
        """These accounts have changed."""
        await self._cache.forget(accounts)

    def _heard(self, account: str) -> None:
        if account:
            self._cache.drop(account)
        else:  # bells may have been missed
            self._cache.drop_all()
