"""Who has a place in the region already: one ticket, one seat, or one offer to stand by."""

from contracts.envelope import Refusal
from lobby.refusals import refusal
from lobby.region import pools
from lobby.region.state import Lobby


def refuse_busy(lobby: Lobby, account: str) -> Refusal | None:
    """`already-seated`, or `already-queued` for whoever waits or stands by."""
    refused = _refuse_seated(lobby, account)
    if refused is not None:
        return refused
    unit = lobby.queue.unit(account)
    if unit is not None:
        got = f"a ticket for {pools.name(unit.pools[0])}"
        return refusal("already-queued", "you wait in the queue", "nobody who waits already", got)
    if account in lobby.standing_by:
        return refusal("already-queued", "you stand by for others' tables", "nobody who waits already", "standing by")
    return None


def is_busy(lobby: Lobby, account: str) -> bool:
    """Whether `refuse_busy` would refuse it."""
    seated = account in lobby.seated or account in lobby.offers.table_of
    return seated or account in lobby.queue or account in lobby.standing_by


def _refuse_seated(lobby: Lobby, account: str) -> Refusal | None:
    """`already-seated` for whoever has a seat, at a table that runs or at one that is offered."""
    running = lobby.seated.get(account)
    if running is not None:
        return refusal("already-seated", "you have a seat at a table", "nobody with a seat", f"a seat at {running}")
    offered = lobby.offers.table_of.get(account)
    if offered is not None:
        what = "you have a seat at a table that is offered"
        return refusal("already-seated", what, "nobody with a seat", f"a seat at {offered}")
    return None
