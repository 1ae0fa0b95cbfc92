"""The first tokens of those who have come at once, asked for in one question."""

import asyncio
from collections.abc import Sequence

from contracts.account_inner import RENEWALS_MAX, Renew, Signed
from gateway.account_service import AccountsAway, AccountService
from gateway.problems import ProblemError

Waiting = tuple[Renew, "asyncio.Future[Signed]"]


class FirstTokens:
    """Guests are there in flocks, as the ledger makes them: all of one turn of the loop are in one question."""

    def __init__(self, service: AccountService) -> None:
        self._service = service
        self._waiting: list[Waiting] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def of(self, wanted: Renew) -> Signed:
        """Raises `AccountsAway`."""
        if not self._waiting:
            asking = asyncio.create_task(self._ask())  # runs when whoever is woken beside this one has come too
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
        future: asyncio.Future[Signed] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, future))
        return await future

    async def _ask(self) -> None:
        flock, self._waiting = self._waiting, []
        parts = [flock[start : start + RENEWALS_MAX] for start in range(0, len(flock), RENEWALS_MAX)]
        await asyncio.gather(*(self._ask_for(part) for part in parts))

    async def _ask_for(self, flock: Sequence[Waiting]) -> None:
        try:
            signed = await self._service.renew_some([wanted for wanted, _ in flock])
        except ProblemError:
            signed = [None] * len(flock)
        for (_, future), token in zip(flock, signed, strict=False):
            if future.done():
                continue
            if token is None:
                future.set_exception(AccountsAway())
            else:
                future.set_result(token)
