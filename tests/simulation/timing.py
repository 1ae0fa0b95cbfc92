"""What an outcome may say of time: no deadline is applied early, twice or for nobody, none that is due is passed over,
and a timeout is refused for a reason that the log shows."""

from typing import TYPE_CHECKING

from tests.simulation.told import Aggregate, Told, broken

from bus.decider import Deadline

if TYPE_CHECKING:
    from tests.simulation.truth import Ledger

LATENCY_SECONDS = 0.1
"""By so much a record that was read late hides of a step of the broker's clock."""
ALONE = ("rang", "turn-timed-out", "table-expired", "retired")
"""Events that only a deadline brings."""


def check_time(ledger: "Ledger", told: Told, known: Aggregate, standing: Deadline | None) -> None:
    """`standing` is the aggregate's deadline before the outcome."""
    if not told.decides:
        return
    key, at, events = told.body["aggregate"], told.body["at"], told.body.get("events", ())
    by_timer = told.command is not None and told.command["command"].get("type") == "time-out"
    if by_timer:
        _check_answer(ledger, told, standing)
    due = standing is not None and at > ledger.due(standing)
    applied = bool(events) if by_timer else due
    if not applied:
        if any(event["type"] in ALONE for event in events):
            what = "had no deadline" if standing is None else f"timed out at {at}, due {ledger.due(standing)}"
            broken("timeouts", told, f"{key} {what}")
        return
    assert standing is not None
    after = told.header.deadline
    if after is not None and after.ref == standing.ref:
        broken("timeouts", told, f"passes over {standing.ref} of {key}, which was due at {ledger.due(standing)}")
    if standing.ref in known.timed_out:
        broken("timeouts", told, f"{key} timed out twice at {standing.ref}")
    known.timed_out.add(standing.ref)
    if known.set_under == ledger.claim_offset:
        _check_lasted(ledger, told, standing)


def _check_answer(ledger: "Ledger", told: Told, standing: Deadline | None) -> None:
    """A timeout is taken if it is current and due; else its refusal says which of the two it is not, and why."""
    assert told.command is not None
    command, at = told.command["command"], told.body["at"]
    expected: tuple[str | None, str, str] = (None, "", "")
    if standing is None or (command["kind"], command["ref"]) != (standing.kind, standing.ref):
        stands = "no deadline" if standing is None else f"{standing.kind} {standing.ref}"
        expected = ("not-current", stands, f"{command['kind']} {command['ref']}")
    elif at <= (due := ledger.due(standing)):
        expected = ("too-early", f"after {due}", str(at))
    refusal = told.body.get("refusal") or {}
    got = (told.code, refusal.get("expected", ""), refusal.get("got", ""))
    if got != expected:
        broken("timeouts", told, f"answers a timeout with {got}, expected {expected}")


def _check_lasted(ledger: "Ledger", told: Told, standing: Deadline) -> None:
    """A clock that goes ahead takes half a second at most from whoever has time until `standing`; known of one that
    never went back, and where the owner was the same from before it did. It may be set a little before the clock shows
    that moment, and the clock may go ahead by days just then."""
    lasted = ledger.broker.lasted(standing.set_at - round(LATENCY_SECONDS * 1000)) - LATENCY_SECONDS
    expected = (standing.due_at - standing.set_at) / 1000 - 0.5 - LATENCY_SECONDS
    if lasted < expected and not ledger.broker.went_back:
        broken("timeouts", told, f"takes time: {standing} lasted {lasted:.2f} s")


def check_set(ledger: "Ledger", told: Told) -> None:
    """The deadline that stands from now on counts from a moment that has come, unless it is nobody's time and counts
    from its own end; known of a clock that never went back."""
    deadline, now = told.header.deadline, ledger.broker.log_now()
    if deadline is None or deadline.set_at == deadline.due_at:
        return
    if deadline.set_at > now + LATENCY_SECONDS * 1000 and not ledger.broker.went_back:
        broken("timeouts", told, f"gives time: {deadline} is set in advance at {now}")
