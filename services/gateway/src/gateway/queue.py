"""The public queue: commands to the region's lobby, answered with the lobby's own outcome."""

from fastapi import APIRouter
from pydantic import BaseModel

from bus.clock import Clock
from contracts.api import Accepted, LeaveQueueRequest, QueueRequest, StandByRequest
from contracts.region import JoinQueue, LeaveQueue, Pool, StandBy
from gateway.bucket import Buckets
from gateway.codes import Code
from gateway.commands import Command, Commands, Unanswered
from gateway.http_identity import Asker
from gateway.identity import Identity
from gateway.problems import ProblemError, problem

ANSWER_SECONDS_MAX = 5.0
REQUESTS_PER_SECOND = 5
REQUESTS_BURST = 20


class Lobby:
    """Asks the one lobby of `region` for somebody."""

    def __init__(self, commands: Commands, region: str, clock: Clock) -> None:
        self._commands = commands
        self._region = region
        self._buckets = Buckets(clock, REQUESTS_PER_SECOND, REQUESTS_BURST)

    async def ask(self, asker: Identity, command_id: str, region: str | None, body: BaseModel) -> Accepted:
        """Raises the problems `too-many-requests`, `unknown-region`, `unknown-result`, and the lobby's refusals."""
        self._check(asker, region)
        command = Command("lobby", self._region, asker, command_id, body)
        try:
            outcome = await self._commands.ask(command, ANSWER_SECONDS_MAX)
        except Unanswered:
            expected, got = f"an answer within {ANSWER_SECONDS_MAX:.0f} s", "none: repeat with the same id"
            raise problem(503, Code.UNKNOWN_RESULT, "command", expected, got) from None
        if outcome.refusal is not None:
            no = outcome.refusal
            raise ProblemError(409, no.code, no.message, expected=no.expected, got=no.got)
        if outcome.fault is not None:
            raise ProblemError(500, outcome.fault.code, outcome.fault.message)
        return Accepted(id=command_id, version=outcome.version)

    def _check(self, asker: Identity, region: str | None) -> None:
        if not self._buckets.take(asker.account):
            expected = f"at most {REQUESTS_PER_SECOND} requests a second"
            raise problem(429, Code.TOO_MANY_REQUESTS, "requests", expected, "more")
        if region not in (None, self._region):
            raise problem(422, Code.UNKNOWN_REGION, "region", self._region, str(region))


def queue_routes(lobby: Lobby) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["queue"])

    @routes.post("/queue")
    async def join_the_queue(wanted: QueueRequest, asker: Asker) -> Accepted:
        """Wait for a table. Your socket is told `your-table` when there is one."""
        return await lobby.ask(asker, wanted.id, wanted.region, ticket(wanted, asker))

    @routes.post("/queue/leave")
    async def leave_the_queue(wanted: LeaveQueueRequest, asker: Asker) -> Accepted:
        """Wait no longer."""
        return await lobby.ask(asker, wanted.id, wanted.region, LeaveQueue())

    @routes.post("/stand-by")
    async def stand_by(wanted: StandByRequest, asker: Asker) -> Accepted:
        """For the house's own bots: be given a seat at a table that asks for bots."""
        if not asker.house:
            raise problem(403, Code.HOUSE_ONLY, "account", "a house bot", "somebody else")
        return await lobby.ask(asker, wanted.id, wanted.region, StandBy())

    return routes


def ticket(wanted: QueueRequest, asker: Identity) -> JoinQueue:
    """What the request asks of the lobby. A program says itself that it is one, so its ticket does too."""
    pool = Pool(
        preset=wanted.preset,
        seats=wanted.seats,
        target=wanted.target,
        pairs=wanted.pairs,
        spinner=wanted.spinner,
        drawing=wanted.drawing,
        turn_seconds=wanted.turn_seconds,
        clock_minutes=wanted.clock_minutes,
    )
    return JoinQueue(pool=pool, bots=wanted.bots, strength=wanted.strength, bot=asker.bot)
