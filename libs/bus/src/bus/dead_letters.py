"""A decider's fault outcomes, put where people look: `<decider>.dead`."""

from bus.outcomes import Outcome
from bus.records import Record
from bus.sender import Letter
from contracts.envelope import DeadLetter


def dead_letter(decider: str, outcome: Outcome) -> Letter | None:
    """The dead letter of a valid outcome that is a fault, else None. A repeated command's is the first one's.

    Raises `MalformedBody`. Only outcomes without events are decoded: a fault changes nothing.
    """
    if outcome.changes:
        return None
    body = outcome.body()
    if body.fault is None or body.duplicate_of is not None:
        return None
    return _letter(
        decider,
        outcome.aggregate,
        DeadLetter(
            topic=f"{decider}.commands",
            partition=outcome.source.partition,
            offset=outcome.header.command_offset,
            code=body.fault.code,
            message=body.fault.message,
            command_id=body.command_id,
            principal=body.principal,
        ),
    )


def unreadable(consumer: str, record: Record) -> Letter:
    """The dead letter of a record that `consumer` could not read; it holds nothing of the content."""
    message = f"expected a message of {record.topic}, got something else"
    dead = DeadLetter(
        topic=record.topic, partition=record.partition, offset=record.offset, code="undecodable", message=message
    )
    return _letter(consumer, (record.key or b"").decode(errors="replace"), dead)


def _letter(consumer: str, key: str, dead: DeadLetter) -> Letter:
    return Letter(f"{consumer}.dead", key, dead.model_dump_json().encode())
