"""An account service on real servers, and those who ask it: gateways by HTTP, and by commands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg
from aiokafka import AIOKafkaConsumer
from pydantic import SecretStr
from tests.gateway.running import free_port, running, until_open
from tests.keys import ACCOUNT_KEY, INNER_KEY

from account.app import build
from account.ids import hash_of, new_account, new_secret, new_session
from account.settings import AccountSettings
from bus.kafka import KafkaLog
from bus.sender import CommandSender
from contracts.account import AccountState, CreateGuest
from contracts.envelope import CommandEnvelope

SESSION_MS = 2000


def account_settings(bootstrap: str, dsn: str, port: int, **others: Any) -> AccountSettings:
    given: dict[str, Any] = {
        "kafka_bootstrap": bootstrap,
        "postgres_dsn": SecretStr(dsn),
        "account_port": port,
        "session_ms": SESSION_MS,
        "account_key": SecretStr(ACCOUNT_KEY.hex()),
        "inner_key": SecretStr(INNER_KEY),
    }
    return AccountSettings(**given | others)


@dataclass
class Newcomer:
    """A guest that a gateway makes."""

    account: str = field(default_factory=lambda: new_account("g"))
    session: str = field(default_factory=new_session)
    secret: str = field(default_factory=new_secret)
    region: str = "eu"
    bot: bool = False

    def command(self, command_id: str | None = None) -> CommandEnvelope:
        wanted = CreateGuest(
            account=self.account,
            session=self.session,
            secret_hash=hash_of(self.secret),
            region=self.region,
            bot=self.bot,
        )
        return CommandEnvelope(
            id=command_id or self.account, principal="gateway", aggregate=self.account, command=wanted.model_dump()
        )


class Service:
    """A running one: its inner door as `http`, its commands, its events."""

    def __init__(self, bootstrap: str, dsn: str, http: httpx.AsyncClient, sender: CommandSender) -> None:
        self.bootstrap = bootstrap
        self.dsn = dsn
        self.http = http
        self._sender = sender

    async def send(self, *commands: CommandEnvelope) -> None:
        await asyncio.gather(*(self._sender.send(command) for command in commands))

    async def renew(self, secret: str, **others: str) -> httpx.Response:
        return await self.http.post("/sessions/renew", json={"secret": secret, **others})

    async def until_there(self, newcomer: Newcomer) -> None:
        async with asyncio.timeout(20):
            while (await self.renew(newcomer.secret)).status_code != 200:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.02)

    async def guest(self, **wanted: Any) -> Newcomer:
        """One that is there."""
        newcomer = Newcomer(**wanted)
        await self.send(newcomer.command())
        await self.until_there(newcomer)
        return newcomer

    async def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        async with await psycopg.AsyncConnection.connect(
            self.dsn, autocommit=True, options="-c search_path=account"
        ) as connection:
            return await (await connection.execute(query.encode(), values)).fetchall()

    async def until_told(self) -> None:
        """Nothing waits in the outbox."""
        async with asyncio.timeout(20):
            while await self.rows("SELECT FROM outbox"):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.02)

    async def told_of(self, account: str) -> list[AccountState | None]:
        """All that was told of an account, in order; none: it is deleted."""
        await self.until_told()
        return [
            AccountState.model_validate_json(value) if value is not None else None
            for key, value, _ in await records(self.bootstrap, "account.events")
            if key == account.encode()
        ]


async def records(bootstrap: str, topic: str) -> list[tuple[bytes | None, bytes | None, dict[str, bytes]]]:
    """Key, value and headers of all that stands in a topic now."""
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=bootstrap, auto_offset_reset="earliest")
    await consumer.start()
    try:
        ends = await consumer.end_offsets(consumer.assignment())
        found: list[tuple[bytes | None, bytes | None, dict[str, bytes]]] = []
        left = {partition for partition, end in ends.items() if end}
        while left:
            for batch in (await consumer.getmany(timeout_ms=500)).values():
                found += [(record.key, record.value, dict(record.headers)) for record in batch]
            left = {partition for partition in left if await consumer.position(partition) < ends[partition]}
        return found
    finally:
        await consumer.stop()


@asynccontextmanager
async def running_service(bootstrap: str, dsn: str, **settings: Any) -> AsyncIterator[Service]:
    port = free_port()
    process = build(account_settings(bootstrap, dsn, port, **settings))
    log = KafkaLog(bootstrap, SESSION_MS)
    sender = CommandSender(log, "account")
    headers = {"Authorization": f"Bearer {INNER_KEY}"}
    url = f"http://127.0.0.1:{port}/inner/v1"
    async with running(process), httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as http:
        await until_open(port)
        await sender.start()
        try:
            yield Service(bootstrap, dsn, http, sender)
        finally:
            await sender.stop()
            await log.close()
