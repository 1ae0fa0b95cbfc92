import asyncio
from dataclasses import replace

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from tests.memory_log import MemoryLog

from bus import telemetry
from bus.sender import CommandSender
from contracts.envelope import CommandEnvelope, OutcomeBody
from contracts.table import PassTurn
from gateway.answers import Answers
from gateway.commands import Command, Commands, Unanswered
from gateway.identity import Identity

PASS = Command("table", "t1", Identity("g1", "eu"), "a", PassTurn(turn=3))


async def desk(log: MemoryLog) -> tuple[Commands, Answers]:
    sender, answers = CommandSender(log, "table"), Answers()
    await sender.start()
    return Commands({"table": sender}, answers), answers


async def test_a_command_is_written_for_its_account_and_answered_by_its_outcome() -> None:
    log = MemoryLog()
    commands, answers = await desk(log)
    asking = asyncio.create_task(commands.ask(PASS))
    (record,) = await log.until("table.commands", 1)
    envelope = CommandEnvelope.model_validate_json(record.value or b"")
    assert record.key == b"t1"
    assert (envelope.principal, envelope.id, envelope.aggregate, envelope.human) == ("g1", "a", "t1", True)
    assert envelope.command == {"type": "pass-turn", "turn": 3}
    outcome = OutcomeBody(
        command_id="a", principal="g1", aggregate="t1", version=7, at=0, decided_at=0, rules_version="1"
    )
    answers.settle("table.events", outcome)
    assert await asking == outcome
    assert not answers.awaited("table.events", "t1")


def test_a_program_is_no_person() -> None:
    bot = Command("table", "t1", Identity("g1", "eu", bot=True), "a", PassTurn(turn=3))
    assert not bot.envelope().human


def test_a_command_carries_the_delay_that_was_measured_and_none_where_nothing_was() -> None:
    assert PASS.envelope().delay_ms is None
    assert replace(PASS, delay_ms=83).envelope().delay_ms == 83


async def test_a_send_whose_result_is_unknown_is_unanswered() -> None:
    log = MemoryLog(trouble=[TimeoutError()])
    commands, answers = await desk(log)
    with pytest.raises(Unanswered):
        await commands.ask(PASS)
    assert not answers.awaited("table.events", "t1")


async def test_no_outcome_in_time_is_unanswered_and_no_longer_awaited() -> None:
    commands, answers = await desk(MemoryLog())
    with pytest.raises(Unanswered):
        await commands.ask(PASS, seconds_max=0.01)
    assert not answers.awaited("table.events", "t1")


async def test_a_command_carries_the_trace_of_its_span(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telemetry, "_tracer", TracerProvider().get_tracer("test"))
    log = MemoryLog()
    commands, _ = await desk(log)
    asking = asyncio.create_task(commands.ask(PASS))
    (record,) = await log.until("table.commands", 1)
    parent = telemetry.parse_traceparent(record.headers)
    assert parent is not None
    assert not trace.get_current_span().get_span_context().is_valid
    asking.cancel()
