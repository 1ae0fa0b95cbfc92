"""The lobby's outcomes as HTTP has them: what was accepted, or the problem that says why not."""

import logging

from contracts.envelope import OutcomeBody
from gateway.codes import Code
from gateway.commands import Command, Commands, Unanswered
from gateway.problems import ProblemError, problem

log = logging.getLogger(__name__)
ANSWER_SECONDS_MAX = 5.0


async def answered(commands: Commands, command: Command) -> OutcomeBody:
    """The outcome, whatever it is. Raises the problem `unknown-result`."""
    try:
        return await commands.ask(command, ANSWER_SECONDS_MAX)
    except Unanswered:
        expected, got = f"an answer within {ANSWER_SECONDS_MAX:.0f} s", "none: repeat with the same id"
        raise problem(503, Code.UNKNOWN_RESULT, "command", expected, got) from None


def accepted(outcome: OutcomeBody) -> OutcomeBody:
    """The same outcome. Raises its refusal or its fault as a problem."""
    if outcome.refusal is not None:
        no = outcome.refusal
        raise ProblemError(409, no.code, no.message, expected=no.expected, got=no.got)
    if outcome.fault is not None:
        raise ProblemError(500, outcome.fault.code, outcome.fault.message)
    return outcome


async def noted(commands: Commands, command: Command) -> None:
    """Sends a note of the gateway's own. A missing answer is nothing: the log shows what came of it."""
    try:
        await commands.ask(command, ANSWER_SECONDS_MAX)
    except Unanswered:
        kind = command.body.model_dump(include={"type"}).get("type")
        log.warning("the lobby does not answer a note", extra={"fields": {"kind": kind}})
