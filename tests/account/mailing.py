"""What gateways ask about mail, in words."""

import asyncio
import secrets
from typing import Any

import httpx
from tests.account.letterbox import Letterbox
from tests.account.service import Newcomer, Service

from contracts.account_inner import Entered

PUBLIC_URL = "https://capicua.example"


def new_address() -> str:
    """Nobody has it yet."""
    return f"{secrets.token_hex(6)}@example.org"


async def ask(service: Service, address: str, account: str | None = None, **others: Any) -> httpx.Response:
    body = {"address": address, "account": account, "region": "eu", "public_url": PUBLIC_URL}
    return await service.http.post("/mail/links", json=body | others)


async def use(service: Service, code: str) -> httpx.Response:
    return await service.http.post("/mail/links/use", json={"code": code, "label": "a browser"})


async def link_for(service: Service, letterbox: Letterbox, address: str, account: str | None = None) -> str:
    """The code of a link that was asked for and has come."""
    before = len(letterbox.mails_to(address))
    assert (await ask(service, address, account)).status_code == 200
    return await letterbox.code_to(address, before + 1)


async def entered_by(service: Service, code: str) -> Entered:
    answer = await use(service, code)
    assert answer.status_code == 200, answer.text
    return Entered.model_validate_json(answer.content)


async def kept_account(service: Service, letterbox: Letterbox, address: str) -> Newcomer:
    """A guest that is kept by an address now."""
    guest = await service.guest()
    entered = await entered_by(service, await link_for(service, letterbox, address, guest.account))
    assert (entered.state.account, entered.state.kind) == (guest.account, "kept")
    return guest


async def until_posted(service: Service) -> None:
    """No mail waits to be sent."""
    async with asyncio.timeout(20):
        while await service.rows("SELECT FROM mails"):  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.02)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Status and stable code of a refusal."""
    return answer.status_code, answer.json()["code"]
