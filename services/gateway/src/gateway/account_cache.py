"""What is asked of the account service and does not change often: known here, kept in Valkey for all gateways, and
asked for where it is in neither."""

import contextlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from redis.asyncio import Redis

from gateway.account_service import AccountsAway
from gateway.valkey import ValkeyAway, answering

KNOWN_MAX = 20_000
STALE_MAX = 20_000
KEPT_SECONDS = 24 * 60 * 60
"""What was deleted while no gateway could hear of it is not kept for longer."""
LEASE_SECONDS = 10
TRIES = 3
ANSWER_SECONDS_MAX = 0.5

# KEYS come in pairs: what is kept, and the lease. ARGV: the lease, the seconds to keep, then what is to be kept.
_FILL = """
for i = 1, #KEYS, 2 do
  if redis.call('GET', KEYS[i + 1]) == ARGV[1] then
    redis.call('SET', KEYS[i], ARGV[2 + (i + 1) / 2], 'EX', ARGV[2])
    redis.call('DEL', KEYS[i + 1])
  end
end
return 1
"""
Value = TypeVar("Value")
Ask = Callable[[Sequence[str]], Awaitable[Mapping[str, Value]]]


class Kept:
    """Texts by account, in Valkey. Who finds none there takes a lease, asks, and keeps the answer with it; who hears of
    a change takes both away. So no answer of before is kept after."""

    def __init__(self, redis: Redis, kind: str) -> None:
        self._redis: Any = redis
        self._kind = kind
        self._fill: Any = redis.register_script(_FILL)

    async def read(self, accounts: Sequence[str]) -> dict[str, str]:
        """What is kept of them. Raises `ValkeyAway`."""
        async with answering(ANSWER_SECONDS_MAX, f"{self._kind} cannot be read"):
            found = await self._redis.mget([self._key(account) for account in accounts])
        given = zip(accounts, found, strict=True)
        return {account: text.decode(errors="replace") for account, text in given if text is not None}

    async def lease(self, accounts: Sequence[str]) -> str:
        """Before asking for these. Raises `ValkeyAway`."""
        lease = secrets.token_hex(8)
        async with self._redis.pipeline(transaction=False) as pipeline:
            for account in accounts:
                pipeline.set(self._lease(account), lease, ex=LEASE_SECONDS)
            async with answering(ANSWER_SECONDS_MAX, f"{self._kind} cannot be kept"):
                await pipeline.execute()
        return lease

    async def fill(self, texts: Mapping[str, str], lease: str) -> None:
        """Keeps what has not changed since `lease`. Raises `ValkeyAway`."""
        keys = [key for account in texts for key in (self._key(account), self._lease(account))]
        async with answering(ANSWER_SECONDS_MAX, f"{self._kind} cannot be kept"):
            await self._fill(keys=keys, args=[lease, KEPT_SECONDS, *texts.values()])

    async def forget(self, accounts: Iterable[str]) -> None:
        """Raises `ValkeyAway`."""
        keys = [key for account in accounts for key in (self._key(account), self._lease(account))]
        async with answering(ANSWER_SECONDS_MAX, f"{self._kind} cannot be forgotten"):
            await self._redis.delete(*keys)

    def _key(self, account: str) -> str:
        return f"{self._kind}:{account}"

    def _lease(self, account: str) -> str:
        return f"{self._kind}-lease:{account}"


class AccountCache(Generic[Value]):
    """`ask` gives the values of those of whom there is one, and is none where nobody can be asked. `absent` is what
    everybody else has. `write` and `read` make a text of a value, and a value of a text or none of a strange one."""

    def __init__(
        self,
        kept: Kept,
        ask: Ask[Value] | None,
        absent: Value,
        write: Callable[[Value], str],
        read: Callable[[str], Value | None],
    ) -> None:
        self._kept = kept
        self._ask = ask
        self._absent = absent
        self._write = write
        self._read = read
        self._known: OrderedDict[str, Value] = OrderedDict()
        self._stale: OrderedDict[str, None] = OrderedDict()
        self._looking: list[dict[str, None]] = []

    def known(self, account: str) -> Value | None:
        """As far as it is known here; `learn` it before."""
        return self._known.get(account)

    async def learn(self, accounts: Iterable[str]) -> dict[str, Value]:
        """The values of these, less those that cannot be looked up just now."""
        wanted = list(dict.fromkeys(accounts))
        found: dict[str, Value] = {}
        for _ in range(TRIES):  # they may change while they are looked up
            found |= {account: self._known[account] for account in wanted if account in self._known}
            wanted = [account for account in wanted if account not in found]
            if not wanted:
                break
            looked_up, changed = await self._look(dict.fromkeys(wanted))
            found |= looked_up
            wanted = changed
        return found

    async def _look(self, unknown: dict[str, None]) -> tuple[dict[str, Value], list[str]]:
        """What was found, and of whom it may be no longer so."""
        asked = list(unknown)
        self._looking.append(unknown)
        try:
            looked_up = await self._look_up(asked)
        finally:
            self._looking = [others for others in self._looking if others is not unknown]
        found = {account: value for account, value in looked_up.items() if account in unknown}
        for account, value in found.items():
            self._keep(account, value)
        return found, [account for account in asked if account not in unknown]

    def know(self, account: str, value: Value) -> None:
        """What is so, without asking anybody."""
        self._keep(account, value)

    def drop(self, account: str) -> bool:
        """Forgets it here alone; whether it was known."""
        for unknown in self._looking:
            unknown.pop(account, None)
        return self._known.pop(account, None) is not None

    def drop_all(self) -> None:
        for unknown in self._looking:
            unknown.clear()
        self._known.clear()

    async def forget(self, accounts: Iterable[str]) -> bool:
        """These have changed: whether Valkey has forgotten them, and all those before that it could not."""
        for account in accounts:
            self.drop(account)
            self._stale[account] = None
        while len(self._stale) > STALE_MAX:
            self._stale.popitem(last=False)
        stale = list(self._stale)
        if not stale:
            return True
        try:
            await self._kept.forget(stale)
        except ValkeyAway:
            return False
        for account in stale:
            self._stale.pop(account, None)
        return True

    async def _look_up(self, unknown: list[str]) -> dict[str, Value]:
        try:
            found = await self._look_in_valkey(unknown)
        except ValkeyAway:
            if self._ask is None:
                return {}
            found = {}
        missing = [account for account in unknown if account not in found]
        if self._ask is None:
            return found | dict.fromkeys(missing, self._absent)
        return found | await self._ask_for(missing, self._ask) if missing else found

    async def _look_in_valkey(self, unknown: list[str]) -> dict[str, Value]:
        there = [account for account in unknown if account not in self._stale]
        texts = await self._kept.read(there) if there else {}
        values = {account: self._read(text) for account, text in texts.items()}
        return {account: value for account, value in values.items() if value is not None}

    async def _ask_for(self, missing: list[str], ask: Ask[Value]) -> dict[str, Value]:
        lease = await self._lease(missing)
        try:
            answered = await ask(missing)
        except AccountsAway:
            return {}
        values = {account: answered.get(account, self._absent) for account in missing}
        if lease is not None:
            with contextlib.suppress(ValkeyAway):
                await self._kept.fill({account: self._write(value) for account, value in values.items()}, lease)
        return values

    async def _lease(self, accounts: list[str]) -> str | None:
        try:
            return await self._kept.lease(accounts)
        except ValkeyAway:
            return None

    def _keep(self, account: str, value: Value) -> None:
        self._known[account] = value
        self._known.move_to_end(account)
        if len(self._known) > KNOWN_MAX:
            self._known.popitem(last=False)


def as_text(accounts: frozenset[str]) -> str:
    return json.dumps(sorted(accounts))


def as_accounts(text: str) -> frozenset[str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return frozenset(found) if isinstance(found, list) and all(isinstance(who, str) for who in found) else None
