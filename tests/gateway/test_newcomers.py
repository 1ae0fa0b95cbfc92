"""New accounts: what is written for one, and what comes of it when nobody answers."""

import asyncio
import hashlib
import json

import pytest
from pydantic import SecretStr
from tests.memory_log import MemoryLog

from bus.sender import CommandSender
from contracts.envelope import CommandEnvelope
from gateway import newcomers
from gateway.account_service import AccountsAway, AccountService
from gateway.newcomers import Arrivals, Newcomers, WrongHouseKey

NOBODY = "http://127.0.0.1:1"


async def made(log: MemoryLog, house_key: str | None = "the house") -> tuple[Newcomers, Arrivals]:
    sender, arrivals = CommandSender(log, "account"), Arrivals()
    await sender.start()
    service = AccountService(NOBODY, SecretStr("a key").get_secret_value())
    return Newcomers(sender, arrivals, service, "eu", house_key), arrivals


async def test_a_guest_is_written_to_the_log_without_its_secret() -> None:
    log = MemoryLog()
    found, arrivals = await made(log)
    coming = asyncio.create_task(found.guest(bot=True, language="pl", label="a test"))
    (record,) = await log.until("account.commands", 1)
    envelope = CommandEnvelope.model_validate_json(record.value or b"")
    command = envelope.command
    assert (record.key or b"").decode() == envelope.aggregate == envelope.principal == command["account"]
    assert (command["type"], command["region"], command["language"], command["bot"]) == (
        "create-guest",
        "eu",
        "pl",
        True,
    )
    assert len(command["secret_hash"]) == len(hashlib.sha256(b"").hexdigest())
    assert set(command) == {"type", "account", "session", "secret_hash", "region", "language", "bot"}
    arrivals.arrived(command["account"])
    with pytest.raises(AccountsAway):  # the account is there, and nobody signs a token for it
        await coming


async def test_without_an_answer_of_the_ledger_there_is_a_clear_answer_and_nobody_waits_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(newcomers, "GUEST_SECONDS_MAX", 0.05)
    log = MemoryLog()
    found, arrivals = await made(log)
    with pytest.raises(AccountsAway) as raised:
        await found.guest(bot=False, language="en", label="")
    assert (raised.value.problem.status, raised.value.problem.code) == (503, "accounts-unavailable")
    assert int((raised.value.headers or {})["Retry-After"]) > 0
    account = json.loads((await log.until("account.commands", 1))[0].value or b"")["aggregate"]
    arrivals.arrived(account)
    assert len(arrivals) == 0


async def test_when_too_many_wait_for_the_ledger_nothing_more_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "WAITING_MAX", 1)
    log = MemoryLog()
    found, _ = await made(log)
    waiting = asyncio.create_task(found.guest(bot=False, language="en", label=""))
    await log.until("account.commands", 1)
    with pytest.raises(AccountsAway):
        await found.guest(bot=False, language="en", label="")
    assert len(log.all("account.commands")) == 1
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_guest_that_did_not_get_into_the_log_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    log.trouble.append(RuntimeError("lost"))
    found, arrivals = await made(log)
    with pytest.raises(AccountsAway):
        await found.guest(bot=False, language="en", label="")
    assert len(arrivals) == 0


@pytest.mark.parametrize(("house_key", "said"), [("the house", key) for key in ("a guess", "", None, "é", "\ud800")])
async def test_a_house_bot_needs_the_key_of_the_house(house_key: str, said: str | None) -> None:
    found, _ = await made(MemoryLog(), house_key)
    with pytest.raises(WrongHouseKey):
        await found.house_bot(said, 1)


async def test_a_house_without_a_key_has_no_bots() -> None:
    found, _ = await made(MemoryLog(), None)
    for key in ("", "None", None):
        with pytest.raises(WrongHouseKey):
            await found.house_bot(key, 1)
