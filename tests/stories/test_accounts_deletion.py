"""Somebody is deleted: nothing personal is left anywhere, and who played with them has a match that still verifies."""

import asyncio
import json
import secrets
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from tests.stories import everywhere
from tests.stories.people import an_address, keep, looked, match_of

from bus.partitioning import partition_of
from bus.topics import topic_config
from capicua import Client
from capicua.errors import SignedOut
from capicua.replay import Verification
from capicua.server.processes import Need
from capicua.server.stack import Stack
from contracts.topics import BY_NAME, PARTITIONS_LOCAL

EVENTS = "account.events"
AT_ONCE = {"segment.ms": "500", "delete.retention.ms": "0", "min.cleanable.dirty.ratio": "0.001"}
"""The cleaner comes as soon as it looks, every fifteen seconds."""
FORGOTTEN_SECONDS_MAX = 75


@dataclass
class Person:
    """Ann, and everything that she alone knows or has chosen."""

    client: Client
    address: str = field(default_factory=an_address)
    name: str = field(default_factory=lambda: f"Ann {secrets.token_hex(5)}")
    label: str = field(default_factory=lambda: f"laptop {secrets.token_hex(8)}")
    program: str = field(default_factory=lambda: f"Ann's {secrets.token_hex(5)}")
    accounts: list[str] = field(default_factory=list)
    words: str = field(default_factory=lambda: f"what happened {secrets.token_hex(8)}")
    secret: list[str] = field(default_factory=list)

    @property
    def account(self) -> str:
        return str(self.client.account)

    @property
    def names(self) -> list[str]:
        """What others see: hers, and her program's."""
        return [self.name, self.program]

    @property
    def personal(self) -> list[str]:
        """What stands in no log at any time."""
        return [self.address, self.address.partition("@")[0], self.label, self.words, *self.secret]


@asynccontextmanager
async def cleaned_at_once(stack: Stack) -> AsyncIterator[None]:
    """What is replaced in `account.events` goes within seconds instead of within a day."""
    config = topic_config(BY_NAME[EVENTS])
    admin = AIOKafkaAdminClient(bootstrap_servers=stack.servers[Need.KAFKA].address)
    await admin.start()
    try:
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, EVENTS, config | AT_ONCE)])
        yield
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, EVENTS, config)])
    finally:
        await admin.close()


async def life(stack: Stack, ann: Person, bob: Client, folder: Path) -> str:
    """A match with Bob, whom she mutes, and one of everything that is kept of somebody; the table of the match."""
    table_id = await match_of(ann.client, bob)
    ann.secret += [str(ann.client.token), await access_token(stack, ann.client)]
    await ann.client.set_name(ann.name)
    await ann.client.mute(str(bob.account))
    ann.secret.append(await keep(stack, ann.client, ann.address))
    ann.secret += [str(ann.client.token), await access_token(stack, ann.client)]
    token = await ann.client.make_token(ann.label)
    program = await ann.client.make_program(ann.program)
    ann.accounts += [ann.account, program.account]
    ann.secret += [str(token.secret), str(program.token.secret)]
    await ann.client.report(ann.words, "table", table_id=table_id, version=1, person=str(bob.account))
    await ann.client.export(folder / "export.zip")
    return table_id


async def access_token(stack: Stack, client: Client) -> str:
    async with httpx.AsyncClient(base_url=stack.gateway_url, timeout=10) as http:
        renewed = await http.post("/v1/session/renew", json={"secret": client.token})
        return str(renewed.raise_for_status().json()["token"])


async def called(client: Client, table_id: str, account: str) -> str:
    """What the service calls that account in the list of the client's finished tables."""

    async def listed() -> str | None:
        page = await client.my_tables()
        return page.names.get(account) if table_id in {table.table_id for table in page.finished} else None

    return await looked(listed)


@pytest.mark.timeout(170)
async def test_nothing_personal_is_left_of_who_was_deleted_and_old_matches_still_verify(
    stack: Stack, tmp_path: Path
) -> None:
    async with cleaned_at_once(stack), Client(stack.gateway_url) as client, Client(stack.gateway_url) as bob:
        ann = Person(client)
        table_id = await life(stack, ann, bob, tmp_path)
        assert await called(bob, table_id, ann.account) == ann.name
        check_export(tmp_path / "export.zip", ann)
        held = await everywhere.topics(stack)
        assert everywhere.holding(held, ann.personal) == {}
        assert everywhere.holding(held, ann.names) == {EVENTS: ann.names}
        assert everywhere.holding(await everywhere.rows(stack), [ann.name, ann.address, ann.words]) != {}

        deleted = await client.delete(ann.account)

        await check_gone(stack, ann)
        others_see = looked(lambda: called_as(bob, table_id, ann.account, deleted.pseudonym))
        forgetting = asyncio.create_task(forgotten(stack, ann))
        assert await others_see
        verified = Verification(await bob.replay(table_id)).run()
        assert verified.first_wrong is None
        assert verified.deals_checked > 0
        await forgetting
        held = await everywhere.topics(stack)
        assert everywhere.holding(held, [*ann.personal, *ann.names]) == {}
        assert ann.account.encode() in held["table.events"]
        assert everywhere.holding(everywhere.logs(stack), [*ann.personal, *ann.names]) == {}


def check_export(path: Path, ann: Person) -> None:
    """Everything that is kept is in it, and no secret."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    found = everywhere.holding(files, [*ann.names, ann.address, ann.label, ann.words, *ann.secret])
    assert {text for texts in found.values() for text in texts} == {*ann.names, ann.address, ann.label, ann.words}
    for name, content in files.items():
        assert not name.endswith(".json") or json.loads(content) is not None


async def check_gone(stack: Stack, ann: Person) -> None:
    """Where it is kept at once; and nothing of hers opens anything, as soon as gateways have heard of it."""
    await looked(lambda: signed_out(ann.client))
    async with httpx.AsyncClient(base_url=stack.gateway_url, timeout=10) as http:
        for secret in ann.secret:
            assert (await http.get("/v1/me", headers={"Authorization": f"Bearer {secret}"})).status_code == 401
    rows = await everywhere.rows(stack)
    kept = [text for text in [*ann.personal, *ann.names] if text != ann.words]
    assert everywhere.holding(rows, kept) == {}
    with_words = everywhere.holding(rows, [ann.words])
    assert len(with_words) == 1, "a report stays, without its person"
    assert everywhere.holding({name: _line(rows[name], ann.words) for name in with_words}, [ann.account]) == {}


async def signed_out(client: Client) -> bool:
    try:
        await client.me()
    except SignedOut:
        return True
    return False


def _line(held: bytes, text: str) -> bytes:
    """The row with that text."""
    (line,) = [line for line in held.split(b"\n") if text.encode() in line]
    return line


async def called_as(client: Client, table_id: str, account: str, name: str) -> bool:
    return await called(client, table_id, account) == name


async def forgotten(stack: Stack, ann: Person) -> None:
    """The names are no more in Valkey nor, once the cleaner has been there, in the one topic that had them."""

    async def not_in_cache() -> bool:
        return everywhere.holding({"": await everywhere.cache(stack)}, [*ann.personal, *ann.names]) == {}

    await looked(not_in_cache)
    async with Client(stack.gateway_url) as one, Client(stack.gateway_url) as other:
        for client, account in zip((one, other), ann.accounts, strict=True):
            await one_in_the_partition_of(account, client)
        async with asyncio.timeout(FORGOTTEN_SECONDS_MAX):
            number = 0
            while everywhere.holding(await everywhere.topics(stack, EVENTS), ann.names) != {}:
                number += 1
                for client in (one, other):  # the cleaner takes no segment that is still written to
                    await client.set_name(f"Neighbour {number}")
                await asyncio.sleep(0.05)


async def one_in_the_partition_of(account: str, client: Client) -> None:
    """The client becomes a guest whose states stand beside that account's."""
    wanted = partition_of(account, PARTITIONS_LOCAL)
    while partition_of((await client.guest()).account, PARTITIONS_LOCAL) != wanted:
        pass
