"""New accounts: guests, over the bus, and house bots, by the account service's own door."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable

from opentelemetry.trace import SpanKind

from bus import telemetry
from bus.sender import SendUnknown
from contracts.account import CreateGuest, Language
from contracts.account_inner import EnterHouse, Renew, Signed
from contracts.api import Guest
from contracts.envelope import CommandEnvelope
from gateway.account_service import AccountsAway, AccountService
from gateway.commands import Sender
from gateway.first_tokens import FirstTokens
from gateway.identity import new_account

GUEST_SECONDS_MAX = 8.0
WAITING_MAX = 2000
"""So many wait for the ledger at most; whoever comes then is sent away before anything is written."""
SECRET_BYTES = 32


class WrongHouseKey(Exception):
    """Somebody who is not the house asked to be a house bot."""


class Arrivals:
    """Who waits for which account to be there."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[None]] = {}

    def expect(self, account: str) -> "asyncio.Future[None]":
        """Call before the account is asked for; `forget` it when nobody waits any more."""
        return self._waiting.setdefault(account, asyncio.get_running_loop().create_future())

    def arrived(self, account: str) -> None:
        future = self._waiting.get(account)
        if future is not None and not future.done():
            future.set_result(None)

    def forget(self, account: str) -> None:
        self._waiting.pop(account, None)

    def __len__(self) -> int:
        return len(self._waiting)


class Newcomers:
    """Makes accounts that are at home in `region`. `draw` gives the id of a new one."""

    def __init__(
        self,
        sender: Sender,
        arrivals: Arrivals,
        service: AccountService,
        region: str,
        house_key: str | None,
        draw: Callable[[], str] = new_account,
    ) -> None:
        self._sender = sender
        self._arrivals = arrivals
        self._service = service
        self._first_tokens = FirstTokens(service)
        self._region = region
        self._house_key = house_key
        self._draw = draw

    async def guest(self, *, bot: bool, language: Language, label: str) -> Guest:
        """A new guest, with the first token. Raises `AccountsAway` when too many wait already, or when the account is
        not there in time: it may come to be, but nobody has its secret, and the ledger forgets it after a day."""
        if len(self._arrivals) >= WAITING_MAX:
            raise AccountsAway
        account, session, secret = self._draw(), secrets.token_hex(16), secrets.token_urlsafe(SECRET_BYTES)
        create = CreateGuest(
            account=account,
            session=session,
            secret_hash=hashlib.sha256(secret.encode()).hexdigest(),
            region=self._region,
            language=language,
            bot=bot,
        )
        try:
            async with asyncio.timeout(GUEST_SECONDS_MAX):
                await self._create(create)
                signed = await self._first_tokens.of(Renew(secret=secret, label=label))
        except (SendUnknown, TimeoutError):
            raise AccountsAway from None
        return _guest(signed, secret, bot=bot)

    async def house_bot(self, house_key: str | None, number: int | None) -> Guest:
        """The region's house bot of that number, always the same account, or a new one. Raises `WrongHouseKey`."""
        if self._house_key is None or house_key is None:
            raise WrongHouseKey
        if not hmac.compare_digest(house_key.encode(errors="surrogatepass"), self._house_key.encode()):
            raise WrongHouseKey
        entered = await self._service.enter_house(EnterHouse(region=self._region, number=number))
        return _guest(entered.signed, entered.secret, bot=True)

    async def _create(self, create: CreateGuest) -> None:
        """Returns when the ledger says that the account is there. Raises `SendUnknown`."""
        span = telemetry.span("ask create-guest", None, SpanKind.PRODUCER, **{telemetry.AGGREGATE: create.account})
        there = self._arrivals.expect(create.account)
        envelope = CommandEnvelope(
            id=create.session,
            principal=create.account,
            aggregate=create.account,
            command=create.model_dump(mode="json"),
            human=not create.bot,
        )
        try:
            await self._sender.send(envelope, telemetry.trace_parent(span))
            await there
        finally:
            self._arrivals.forget(create.account)
            span.end()


def _guest(signed: Signed, secret: str, *, bot: bool) -> Guest:
    return Guest(
        account=signed.account,
        token=signed.token,
        bot=bot,
        session=signed.session,
        secret=secret,
        seconds=signed.seconds,
    )
