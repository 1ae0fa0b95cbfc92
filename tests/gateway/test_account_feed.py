"""What happens to accounts, and who is told of it."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.gateway.signed import SESSION, public
from tests.memory_log import NOON, HandClock

from bus.clock import BrokerTime
from bus.records import Record
from contracts.account import AccountState, EndedSession
from gateway.account_feed import AccountFeed
from gateway.ended import Ended
from gateway.hub import Hub
from gateway.identity import AccessTokens, Identity
from gateway.newcomers import Arrivals
from gateway.outbox import Closing


@dataclass(eq=False)
class Socket:
    """Somebody's, as the hub knows it."""

    identity: Identity
    closed_with: int | None = None
    guests: frozenset[str] = frozenset()

    @property
    def account(self) -> str:
        return self.identity.account

    @property
    def accounts(self) -> tuple[str, ...]:
        return (self.account, *self.guests)

    def merged(self, guests: frozenset[str]) -> None:
        self.guests |= guests

    def finish(self, closing: Closing) -> None:
        self.closed_with = closing.code


@dataclass
class Fed:
    forgotten: list[str] = field(default_factory=list)
    heard: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ended, self.arrivals = Ended(BrokerTime(HandClock())), Arrivals()
        self.hub = Hub(lambda: 0.0)
        access = AccessTokens([public()], self.ended)
        self.feed = AccountFeed(self.ended, self.arrivals, access, self.hub, self._forget, self._hear)
        self._offset = 0

    def _hear(self, state: AccountState) -> None:
        self.heard.append((state.account, state.version))

    async def _forget(self, accounts: Iterable[str]) -> None:
        self.forgotten += accounts

    def socket(self, account: str, session: str | None = SESSION) -> Socket:
        socket: Any = Socket(Identity(account, "eu", session=session, screen=session is None, signed_at=NOON))
        self.hub.join(socket)
        found: Socket = socket
        return found

    def happens(self, account: str, value: bytes | None) -> None:
        self._offset += 1
        self.feed.record(Record("account.events", 0, self._offset, NOON, account.encode(), value, ()))

    def state(self, account: str, version: int = 2, **told: Any) -> None:
        wanted = {"account": account, "version": version, "kind": "guest", "region": "eu", "made_at": 1, **told}
        self.happens(account, AccountState.model_validate(wanted).model_dump_json().encode())


async def test_whoever_waits_for_a_new_account_is_told_that_it_is_there() -> None:
    fed = Fed()
    there = fed.arrivals.expect("ann")
    fed.state("ben", version=1)
    assert not there.done()
    fed.state("ann", version=1)
    async with asyncio.timeout(1):
        await there
    fed.state("ann", version=1)


async def test_the_sockets_of_an_ended_session_are_closed_and_no_others() -> None:
    fed = Fed()
    here, other_session, other = fed.socket("ann"), fed.socket("ann", "o" * 32), fed.socket("ben")
    fed.state("ann", ended=(EndedSession(session=SESSION, at=NOON),))
    assert [socket.closed_with for socket in (here, other_session, other)] == [4401, None, None]


async def test_all_sockets_of_an_account_are_closed_when_it_is_gone_or_another_now() -> None:
    fed = Fed()
    deleted, merged, out, kept = (fed.socket(account) for account in ("ann", "ben", "cid", "dot"))
    fed.happens("ann", None)
    fed.state("ben", merged_into="dot")
    fed.state("cid", all_ended_at=NOON)
    fed.state("dot", merged=("ben",))
    assert [socket.closed_with for socket in (deleted, merged, out, kept)] == [4401, 4401, 4401, None]


async def test_whoever_is_here_with_an_account_is_told_which_guests_are_it_by_now() -> None:
    fed = Fed()
    kept, other = fed.socket("ann"), fed.socket("ben")
    fed.state("ann", version=1)
    fed.state("ann", version=3, merged=("g1", "g2"))
    assert [sorted(socket.guests) for socket in (kept, other)] == [["g1", "g2"], []]
    assert fed.heard == [("ann", 1), ("ann", 3)]


async def test_what_was_kept_of_an_account_is_forgotten_when_it_changes_and_of_a_new_one_there_is_nothing() -> None:
    fed = Fed()
    fed.state("ann", version=1)
    fed.state("ben", name="Ben")
    fed.state("ben", version=3, name="Benny")
    fed.happens("cid", None)
    await fed.feed.flush()
    assert fed.forgotten == ["ben", "cid"]
    await fed.feed.flush()
    assert fed.forgotten == ["ben", "cid"]


async def test_what_cannot_be_read_is_passed_over() -> None:
    fed = Fed()
    socket = fed.socket("ann")
    for value in (b"", b"{}", b"\xff", b"[]"):
        fed.happens("ann", value)
    assert socket.closed_with is None
    fed.happens("ann", None)
    assert socket.closed_with == 4401


async def test_after_a_long_silence_everybody_with_a_session_comes_again() -> None:
    fed = Fed()
    person, screen = fed.socket("ann"), fed.socket("screen", None)
    fed.feed.missed()
    assert (person.closed_with, screen.closed_with) == (4401, None)
