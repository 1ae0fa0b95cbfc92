"""Whether a command topic is still the one that this event log was decided from."""

from bus.records import Record, TopicPartition
from contracts.envelope import CommandEnvelope


class WrongLog(Exception):
    """The topics do not belong together (one was deleted and made again, truncated, restored from elsewhere). Deciding
    on would skip or repeat commands: the process must stop, and people must look."""


def check_bounds(commands: TopicPartition, next_command: int, begin: int, end: int) -> None:
    """Raises `WrongLog` unless the next command to decide is in the topic or is the next one to arrive."""
    if not begin <= next_command <= end:
        raise WrongLog(
            f"{commands.topic}:{commands.partition}: the next command is {next_command}, "
            f"expected it from {begin} to {end}; was the topic deleted or truncated?"
        )


def check_end(events: TopicPartition, position: int, end: int) -> None:
    """Raises `WrongLog` when the log ends before `position`, which its newest marker has seen."""
    if end < position:
        raise WrongLog(
            f"{events.topic}:{events.partition} ends at {end}, its newest marker has seen {position}; "
            "was the topic deleted or truncated?"
        )


def check_founding(events: TopicPartition, expected: bytes | None, got: bytes | None) -> None:
    """Raises `WrongLog` when the log does not begin with the founding record that its newest marker knows."""
    if expected is not None and expected != got:
        raise WrongLog(
            f"{events.topic}:{events.partition} begins with another founding record than its newest marker knows; "
            "was the topic deleted and made again?"
        )


def check_last_command(commands: TopicPartition, record: Record, last_command_id: str | None) -> None:
    """Raises `WrongLog` when the topic holds another command where the log's last outcome has decided one. An outcome
    without an id says nothing: its command was a fault unread, or unreadable."""
    if not last_command_id:
        return
    try:
        command_id = CommandEnvelope.model_validate_json(record.value or b"").id
    except ValueError:
        command_id = ""
    if command_id != last_command_id:
        where = f"{commands.topic}:{commands.partition}:{record.offset}"
        raise WrongLog(f"{where}: expected the command that the log has decided there, got another one")


def check_time(commands: TopicPartition, record: Record) -> None:
    """Raises `WrongLog` when the topic does not give its records the broker's own time."""
    if not record.appended_time:
        where = f"{commands.topic}:{commands.partition}:{record.offset}"
        raise WrongLog(f"{where}: expected message.timestamp.type LogAppendTime, got CreateTime")
