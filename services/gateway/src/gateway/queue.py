"""The public queue: commands to the region's lobby, answered with the lobby's own outcome."""

import secrets

from fastapi import APIRouter
from pydantic import BaseModel

from bus.clock import BrokerTime
from contracts.api import Accepted, LeaveQueueRequest, QueueRequest, StandByRequest
from contracts.queue_api import BotsRequest, QueueStatus, WidenRequest, WishedPool
from contracts.region import AcceptBots, JoinQueue, LeaveQueue, NoteAway, NoteBack, Pool, StandBy, WidenTicket
from gateway.codes import Code
from gateway.commands import Command, Commands
from gateway.http_identity import Asker
from gateway.identity import Identity
from gateway.limits import QUESTIONS, REQUESTS, within
from gateway.outcomes import accepted, answered, noted
from gateway.places import Place
from gateway.problems import problem
from gateway.queue_status import Statuses
from gateway.queue_view import QueueView


class Lobby:
    """Asks the one lobby of `region` for somebody."""

    def __init__(self, commands: Commands, region: str) -> None:
        self._commands = commands
        self._region = region

    async def ask(self, asker: Identity, command_id: str, region: str | None, body: BaseModel) -> Accepted:
        """Raises the problems `other-region`, `unknown-region`, `unknown-result`, and the lobby's refusals."""
        self._check(asker, region)
        command = Command("lobby", self._region, asker, command_id, body)
        outcome = accepted(await answered(self._commands, command))
        return Accepted(id=command_id, version=outcome.version)

    async def note(self, account: str, place: Place, away: bool) -> None:
        """Somebody with a place is away, or back."""
        body = NoteAway() if away else NoteBack()
        sender = Identity(account, self._region, place.bot)
        await noted(self._commands, Command("lobby", self._region, sender, secrets.token_hex(8), body))

    def _check(self, asker: Identity, region: str | None) -> None:
        if asker.region != self._region:
            expected, got = f"an account of {self._region}", f"one of {asker.region}"
            raise problem(403, Code.OTHER_REGION, "account", expected, got)
        if region not in (None, self._region):
            raise problem(422, Code.UNKNOWN_REGION, "region", self._region, str(region))


def queue_routes(lobby: Lobby, queue: QueueView, time: BrokerTime) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["queue"])

    @routes.post("/queue", dependencies=[within(REQUESTS)])
    async def join_the_queue(wanted: QueueRequest, asker: Asker) -> Accepted:
        """Wait for a table. Your socket is told `queue-status` while you wait, and `your-table` when there is one. Who
        has no socket open is passed over until there is one again."""
        return await lobby.ask(asker, wanted.id, wanted.region, ticket(wanted, asker))

    @routes.get("/queue", dependencies=[within(QUESTIONS)])
    async def how_my_ticket_stands(asker: Asker) -> QueueStatus:
        """How many wait, how long it may take, why there is no match yet, and what would help."""
        status = Statuses(queue, time.now()).of(asker.account)
        if status is None:
            raise problem(404, Code.NOT_QUEUED, "queue", "somebody who waits", "somebody who does not")
        return status

    @routes.post("/queue/widen", dependencies=[within(REQUESTS)])
    async def widen_my_ticket(wanted: WidenRequest, asker: Asker) -> Accepted:
        """Yes to an offer: wait in this pool too, with the age that the ticket has."""
        return await lobby.ask(asker, wanted.id, None, WidenTicket(pool=pool_of(wanted.pool)))

    @routes.post("/queue/bots", dependencies=[within(REQUESTS)])
    async def accept_house_bots(wanted: BotsRequest, asker: Asker) -> Accepted:
        """Yes to an offer: labelled house bots take the free seats, of the ticket's table or of the one that you have
        offered."""
        return await lobby.ask(asker, wanted.id, None, AcceptBots(strength=wanted.strength))

    @routes.post("/queue/leave", dependencies=[within(REQUESTS)])
    async def leave_the_queue(wanted: LeaveQueueRequest, asker: Asker) -> Accepted:
        """Wait no longer."""
        return await lobby.ask(asker, wanted.id, wanted.region, LeaveQueue())

    @routes.post("/stand-by", dependencies=[within(REQUESTS)])
    async def stand_by(wanted: StandByRequest, asker: Asker) -> Accepted:
        """For the house's own bots: be given a seat at a table that asks for bots."""
        if not asker.house:
            raise problem(403, Code.HOUSE_ONLY, "account", "a house bot", "somebody else")
        return await lobby.ask(asker, wanted.id, wanted.region, StandBy())

    return routes


def ticket(wanted: QueueRequest, asker: Identity) -> JoinQueue:
    """What the request asks of the lobby. A program says itself that it is one, so its ticket does too."""
    return JoinQueue(
        pool=pool_of(wanted),
        bots=wanted.bots,
        strength=wanted.strength,
        bot=asker.bot,
        group=wanted.group,
        group_size=wanted.group_size,
        window=wanted.window,
    )


def pool_of(wanted: WishedPool) -> Pool:
    return Pool(**wanted.model_dump(include=set(Pool.model_fields)))
