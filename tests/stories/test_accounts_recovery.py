"""A guest plays, is kept by a mail address, loses the browser, and has everything back."""

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import httpx
import pytest
from tests.stories.people import an_address, finished, keep, looked, match_of, newest_code
from tests.stories.refused import refused

from capicua import Client
from capicua.errors import SignedOut
from capicua.replay import Verification
from capicua.server.stack import Stack

NAME = "Ann of the lost browser"


@dataclass(frozen=True)
class Kept:
    """An account that is kept, as it was when its browser was lost."""

    account: str
    address: str
    secret: str
    played: list[str]
    muted: str


@pytest.fixture
async def bob(stack: Stack) -> AsyncIterator[Client]:
    async with Client(stack.gateway_url) as client:
        yield client


@pytest.fixture
async def clients(stack: Stack) -> AsyncIterator[list[Client]]:
    """Three browsers that nobody has used yet."""
    async with AsyncExitStack() as ends:
        yield [await ends.enter_async_context(Client(stack.gateway_url)) for _ in range(3)]


async def life(stack: Stack, ann: Client, bob: Client) -> Kept:
    """A guest with a match, a name, a picture and somebody who is muted; then kept."""
    table_id = await match_of(ann, bob)
    await ann.set_name(NAME)
    await ann.change_profile(avatar="6-3", language="de")
    await ann.mute(str(bob.account))
    guest, address = str(ann.account), an_address()
    assert (await ann.profile()).kind == "guest"
    await keep(stack, ann, address)
    assert ann.account == guest
    return Kept(guest, address, str(ann.token), [table_id], str(bob.account))


async def check_everything(client: Client, kept: Kept) -> None:
    """Nothing of what the account had is missing."""
    profile = await client.profile()
    assert (profile.account, profile.kind, profile.name) == (kept.account, "kept", NAME)
    assert (profile.avatar, profile.language) == ("6-3", "de")
    assert profile.mail is not None
    assert kept.address not in profile.mail
    assert list(await client.mutes()) == [kept.muted]

    async def all_listed() -> bool:
        return set(await finished(client)) == set(kept.played)

    await looked(all_listed)
    for table_id in kept.played:
        verified = Verification(await client.replay(table_id)).run()
        assert verified.first_wrong is None
        assert verified.deals_checked > 0


async def test_who_has_lost_the_browser_comes_back_by_mail_and_has_everything(
    stack: Stack, clients: list[Client], bob: Client
) -> None:
    ann, back, third = clients
    kept = await life(stack, ann, bob)
    await check_everything(ann, kept)
    await ann.close()

    codes = [await newest_code(stack, kept.address)]
    await back.send_recovery(kept.address)
    codes.append(await newest_code(stack, kept.address, codes))
    recovered = await back.use_link(codes[-1], "the other browser")
    assert (recovered.account, recovered.moved) == (kept.account, None)
    await check_everything(back, kept)

    lines = await back.sessions()
    assert [line.label for line in lines if line.here] == ["the other browser"]
    for line in lines:
        if not line.here:
            await back.end_session(line.session)
    async with Client(stack.gateway_url, token=kept.secret) as lost:
        with pytest.raises(SignedOut):
            await lost.me()
    assert [await refused(third.use_link(code)) for code in codes] == ["link-used", "link-used"]
    assert await refused(third.use_link("a-code-that-was-never-sent")) == "bad-link"


async def test_a_guest_of_another_device_moves_to_the_kept_account_with_its_matches(
    stack: Stack, clients: list[Client], bob: Client
) -> None:
    ann, phone, _ = clients
    kept = await life(stack, ann, bob)
    second = await match_of(phone, bob)
    await phone.set_name("Ann's phone")
    guest, secret = str(phone.account), str(phone.token)
    await phone.send_link(kept.address)
    codes = [await newest_code(stack, kept.address)]
    codes.append(await newest_code(stack, kept.address, codes))
    moved = await phone.use_link(codes[-1])
    assert (moved.account, moved.moved) == (kept.account, guest)
    everything = Kept(kept.account, kept.address, kept.secret, [*kept.played, second], kept.muted)
    for client in (phone, ann):
        await check_everything(client, everything)
    async with Client(stack.gateway_url, token=secret) as before:
        with pytest.raises(SignedOut):
            await before.me()
    third = await match_of(phone, bob)
    assert third in await looked(lambda: finished_with(ann, third))


async def test_who_has_not_heard_that_a_link_worked_asks_again_and_is_told_the_same(
    stack: Stack, clients: list[Client]
) -> None:
    ann, phone, _ = clients
    address = an_address()
    codes = [await keep(stack, ann, address)]
    await phone.send_link(address)
    body = {"code": await newest_code(stack, address, codes)}
    async with httpx.AsyncClient(base_url=stack.gateway_url, timeout=10) as http:
        renewed = await http.post("/v1/session/renew", json={"secret": phone.token})
        headers = {"Authorization": f"Bearer {renewed.json()['token']}", "Idempotency-Key": secrets.token_hex(16)}
        heard = await http.post("/v1/mail/use", json=body, headers=headers)
        assert (heard.json()["account"], heard.json()["moved"]) == (ann.account, phone.account)

        async def signed_out() -> bool:
            return (await http.get("/v1/me", headers=headers)).status_code == 401

        assert await looked(signed_out)
        again = await http.post("/v1/mail/use", json=body, headers=headers)
        assert (again.status_code, again.json()) == (heard.status_code, heard.json())
        other = {**headers, "Idempotency-Key": secrets.token_hex(16)}
        late = await http.post("/v1/mail/use", json=body, headers=other)
        assert (late.status_code, late.json()["code"]) == (410, "link-used")


async def finished_with(client: Client, table_id: str) -> list[str] | None:
    tables = await finished(client)
    return tables if table_id in tables else None
