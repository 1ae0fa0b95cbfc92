"""What must hold at every table after every outcome: its tiles, its expiry, and the time that its people are credited
with."""

from typing import TYPE_CHECKING, Any

from tests.simulation.told import Aggregate, Sitting, Told, Violation, broken

from domino_rules.table import Expired, Finished
from domino_rules.verification import verify_match

if TYPE_CHECKING:
    from tests.simulation.truth import Ledger

DAY_MS = 86_400_000
NOTED_MS = 60_000
"""People's doings are noted once a minute."""
TURN_CREDIT_MS_MAX, MATCH_CREDIT_MS_MAX = 500, 5000


def check_table(ledger: "Ledger", told: Told, known: Aggregate) -> None:
    """`known` is the table after the outcome."""
    if ledger.decider.name != "table" or not told.decides:
        return
    events = told.body.get("events", ())
    _check_expiry(told, known, [event["type"] for event in events])
    _measure(told, known)
    if not events:
        return
    for event in events:
        if event["type"] == "turn-started":
            _check_credit(told, known, event)
    _check_tiles(known.state, told.body["aggregate"])
    if isinstance(known.state, Finished):
        _check_match(ledger, told)


def _check_tiles(state: Any, key: str) -> None:
    match = state.match
    if match.round is None:
        return
    current = match.round
    tiles = [tile for hand in current.hands for tile in hand]
    tiles += [*current.boneyard, *(play.tile for play in current.layout.plays)]
    if sorted(tiles) != list(range(28)):
        raise Violation(f"28 tiles: {key} has {sorted(tiles)}")


def _check_expiry(told: Told, known: Aggregate, events: list[str]) -> None:
    """A table waits for a person for a day and hardly longer, whatever bots, timers and the autopilot do there."""
    sitting, at = known.sitting, told.body["at"]
    if not sitting.acted_at:
        sitting.acted_at = known.state.table.opened_at
    if "table-expired" in events and at <= sitting.acted_at + DAY_MS:
        broken("expiry", told, f"expires a table where somebody acted at {sitting.acted_at}")
    if _by_person(told, known):
        sitting.acted_at = max(at, told.body["decided_at"])
    deadline, over = told.header.deadline, isinstance(known.state, Finished | Expired)
    if deadline is not None and not over and deadline.due_at > sitting.acted_at + DAY_MS + NOTED_MS:
        broken("expiry", told, f"waits for {deadline} where nobody has acted since {sitting.acted_at}")


def _by_person(told: Told, known: Aggregate) -> bool:
    """Whether a person who has a seat asked for something and was not refused, or came back by it from the
    autopilot."""
    command = told.command
    if command is None or not command.get("human") or known.state.table.seat_of(command["principal"]) is None:
        return False
    return told.code is None or any(event["type"] == "autopilot-stopped" for event in told.body.get("events", ()))


def _measure(told: Told, known: Aggregate) -> None:
    """Delays come with commands, as the gateway has measured them."""
    command = told.command
    if command is not None and command.get("delay_ms") is not None:
        delays, account = known.sitting.delays, command["principal"]
        delays[account] = max(delays.get(account, 0), command["delay_ms"])


def _check_credit(told: Told, known: Aggregate, event: dict[str, Any]) -> None:
    """Nobody is credited with more than was measured, nor with more than half a second a turn and five a match."""
    sitting: Sitting = known.sitting
    credit, seat, turn = event.get("credit_ms", 0), event["seat"], event["turn"]
    measured = sitting.delays.get(known.state.table.player(seat).account, 0)
    if credit > measured or credit < 0:
        broken("credit", told, f"gives seat {seat} {credit} ms in turn {turn}, measured were {measured}")
    sitting.by_turn[turn] += credit
    sitting.by_seat[seat] += credit
    if sitting.by_turn[turn] > TURN_CREDIT_MS_MAX:
        broken("credit", told, f"gives seat {seat} {sitting.by_turn[turn]} ms in turn {turn}")
    if sitting.by_seat[seat] > MATCH_CREDIT_MS_MAX:
        broken("credit", told, f"gives seat {seat} {sitting.by_seat[seat]} ms in all")


def _check_match(ledger: "Ledger", told: Told) -> None:
    """The whole log of a match that has ended is what anybody who verifies it finds in order."""
    key = told.body["aggregate"]
    log = [event for one in (*ledger.of(key), told) for event in one.body.get("events", ())]
    wrong = verify_match(log)
    if wrong is not None:
        broken("a match verifies", told, f"ends a match of which {wrong}")
