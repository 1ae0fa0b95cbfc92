"""House bots that a region gives away: to tables that ask for some, and to private rooms."""

from collections.abc import Sequence

from bus.decider import Context
from contracts.envelope import Refusal
from contracts.region import BotsLent, LendBots
from contracts.table import Reservation, Strength
from lobby.refusals import refuse_outsider
from lobby.region.state import Lobby


def ready_bots(lobby: Lobby, strengths: Sequence[Strength]) -> tuple[Reservation, ...]:
    """Seats for the house bots that have stood by longest, one for each strength; none at all if there are too few."""
    accounts = lobby.standing_by.first(len(strengths))
    if len(accounts) < len(strengths):
        return ()
    return tuple(
        Reservation(account=account, bot=True, strength=strength)
        for account, strength in zip(accounts, strengths, strict=True)
    )


def lend(lobby: Lobby, command: LendBots, context: Context) -> list[BotsLent] | Refusal:
    """A table id for which bots have been lent, or none could be, is answered once, until it is released."""
    refused = refuse_outsider(context.principal, "lends bots")
    if refused is not None:
        return refused
    if command.table_id in lobby.tables:
        return []
    return [BotsLent(room=command.room, table_id=command.table_id, bots=ready_bots(lobby, command.strengths))]
