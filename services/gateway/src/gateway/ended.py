"""Which tokens are no longer good though they have not run out: their session has ended, or their account is gone."""

import math
from collections import OrderedDict

from bus.clock import BrokerTime
from contracts.account import AccountState

KEPT_MS = 11 * 60 * 1000
"""Longer than any token is good: what ended before has none left."""
KNOWN_MAX = 200_000
ALL = math.inf


class Ended:
    """What the account service has told within eleven minutes, by log time. If that is ever more than can be kept, the
    oldest goes, and with it every token that was signed up to then: all of those are to be renewed."""

    def __init__(self, time: BrokerTime, known_max: int = KNOWN_MAX) -> None:
        self._time = time
        self._known_max = known_max
        self._until: OrderedDict[tuple[str, ...], tuple[float, int]] = OrderedDict()
        self._until_of_all = 0

    def take(self, state: AccountState, at: int) -> None:
        """An account's newest state, of the log time `at` (ms)."""
        for ended in state.ended:
            self._note((state.account, ended.session), ALL, at)
        if state.merged_into is not None:
            self._note((state.account,), ALL, at)
        elif state.all_ended_at is not None:
            self._note((state.account,), state.all_ended_at, at)
        self._forget()

    def deleted(self, account: str, at: int) -> None:
        """The account is no more."""
        self._note((account,), ALL, at)
        self._forget()

    def allows(self, account: str, session: str, signed_at: int) -> bool:
        """Whether a token of that session, signed at `signed_at` (ms), is good for all that is known."""
        if signed_at <= self._until_of_all:
            return False
        return all(signed_at > self._until.get(key, (-1, 0))[0] for key in ((account,), (account, session)))

    def __len__(self) -> int:
        return len(self._until)

    def _note(self, key: tuple[str, ...], until: float, at: int) -> None:
        """Tokens of `key` that were signed up to `until` are not good."""
        known = self._until.get(key)
        if known is None or until > known[0]:
            self._until[key] = until, at
            self._until.move_to_end(key)

    def _forget(self) -> None:
        while self._until:
            oldest = next(iter(self._until))
            _, at = self._until[oldest]
            full = len(self._until) > self._known_max
            if not full and at >= self._time.now() - KEPT_MS:
                return
            if full:
                self._until_of_all = max(self._until_of_all, at)
            del self._until[oldest]
