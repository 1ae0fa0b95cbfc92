"""The one table of topics: name, key, messages, owner, readers, partitions, retention, and why.

`KafkaTopic` and `KafkaUser` objects are generated from it, and `bus.topics` creates local topics from it.
"""

from dataclasses import dataclass
from typing import Any, Literal

from contracts.account import AccountCommand, AccountState
from contracts.envelope import CommandEnvelope, DeadLetter, OutcomeBody
from contracts.lifecycle import LifecycleMessage
from contracts.lobby import LobbyCommand, LobbyEvent
from contracts.table import TableCommand, TableEvent

DAY_MS = 24 * 60 * 60 * 1000
COMMANDS_KEPT_MS = 30 * DAY_MS
"""How long a command stays in its topic. What a decider knows of an aggregate must not leave memory before."""
PARTITIONS_LOCAL = 6
PARTITIONS_PRODUCTION = 48


@dataclass(frozen=True, slots=True)
class Topic:
    """One row. `body` is the record's body, `messages` the tagged union inside it (or None); `retention_ms` None
    keeps for ever. `partitions` "shards" follows the deployment's partition count, else the number. Of a `compacted`
    topic the newest record of each key is kept, and `body` None is the owner's own affair."""

    name: str
    key: str
    body: Any
    messages: Any
    owner: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    retention_ms: int | None
    why: str
    partitions: Literal["shards"] | int = "shards"
    timestamps: Literal["LogAppendTime", "CreateTime"] = "LogAppendTime"
    compacted: bool = False


def _decider(
    name: str,
    key: str,
    command: Any,
    event: Any,
    *,
    senders: tuple[str, ...],
    readers: tuple[str, ...],
    undertaker: str,
) -> tuple[Topic, ...]:
    """The topics of a decider: what it is asked, what it decided, what could not be decided (written by `undertaker`,
    the process that projects it from the events), and what spares its next owner the log from its beginning."""
    return (
        Topic(f"{name}.commands", key, CommandEnvelope, command, name, senders, (name,), COMMANDS_KEPT_MS,
              "the only input of the decider; no gaps, never compacted"),
        Topic(f"{name}.events", key, OutcomeBody, event, name, (name,), readers, None,
              "the only store of the decider: one outcome per command"),
        Topic(f"{name}.dead", key, DeadLetter, None, name, (undertaker,), ("people",), 30 * DAY_MS,
              "commands that became fault outcomes, for people to look at"),
        Topic(f"{name}.snapshots", "aggregate@claim@as_of#chunk/chunks", None, None, name, (name,), (name,), None,
              "states of the decider's aggregates; can be lost, the events have it all", compacted=True),
        Topic(f"{name}.markers", "partition@claim", None, None, name, (name,), (name,), None,
              "which snapshot is whole up to where, and what the fold rule knows there", compacted=True),
    )  # fmt: skip


TOPICS: tuple[Topic, ...] = (
    *_decider("table", "table id", TableCommand, TableEvent,
              senders=("gateway", "lobby", "timer"), readers=("table", "table-projector", "gateway", "timer"),
              undertaker="table-projector"),
    *_decider("lobby", "region", LobbyCommand, LobbyEvent,
              senders=("gateway", "timer", "lobby"), readers=("lobby", "gateway", "timer"),
              undertaker="lobby"),
    Topic("table.lifecycle", "table id", LifecycleMessage, LifecycleMessage, "table", ("table-projector",),
          ("lobby",), 30 * DAY_MS, "what services without dominoes need to know of a table"),
    Topic("account.commands", "account id", CommandEnvelope, AccountCommand, "account", ("gateway",), ("account",),
          COMMANDS_KEPT_MS, "new guests; all else is asked of the account service itself, because it is personal"),
    Topic("account.events", "account id", AccountState, None, "account", ("account",), ("gateway",), None,
          "each record is an account's whole public state; a tombstone deletes it", compacted=True),
    Topic("account.dead", "account id", DeadLetter, None, "account", ("account",), ("people",), 30 * DAY_MS,
          "commands that could not be carried out, for people to look at"),
    Topic("timer.snapshots", "source@generation#chunk", None, None, "timer", ("timer",), ("timer",), None,
          "what every aggregate waits for; can be lost, the events have it all", compacted=True),
)  # fmt: skip

# The consumer groups that a principal is a member of. Gateways read without a group.
GROUPS: dict[str, tuple[str, ...]] = {
    "table": ("table",),
    "table-projector": ("table-projector",),
    "lobby": ("lobby", "lobby-policies", "lobby-lifecycle"),
    "timer": ("timer",),
    "account": ("account",),
    "gateway": (),
}

BY_NAME: dict[str, Topic] = {topic.name: topic for topic in TOPICS}
DECIDERS = tuple(topic.owner for topic in TOPICS if topic.body is OutcomeBody)
