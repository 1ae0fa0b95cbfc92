"""Creates the topics of `contracts.topics` where they are missing, and checks those that are there."""

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from contracts.topics import BY_NAME, DAY_MS, TOPICS, Topic

COMPACTED = {
    "cleanup.policy": "compact",
    "segment.bytes": str(32 * 1024 * 1024),
    "segment.ms": str(10 * 60 * 1000),
    "min.cleanable.dirty.ratio": "0.1",
    "max.compaction.lag.ms": str(DAY_MS),
}
"""The cleaner takes whole segments that are no longer written to: small ones, and soon. However little is written, what
has been replaced or deleted is gone after a day."""


class WrongTopic(Exception):
    """A topic is there with another partition count than the deployment's. Says expected and got."""


def topic_config(topic: Topic) -> dict[str, str]:
    """The broker's settings of a topic; nothing that is kept for ever may be cleaned by size, and only what can be made
    again may be compacted."""
    kept = COMPACTED if topic.compacted else {"cleanup.policy": "delete"}
    return {
        **kept,
        "retention.ms": "-1" if topic.retention_ms is None else str(topic.retention_ms),
        "retention.bytes": "-1",
        "message.timestamp.type": topic.timestamps,
        "max.message.bytes": "1048576",
    }


def partitions_of(topic: Topic, shards: int) -> int:
    return shards if topic.partitions == "shards" else topic.partitions


async def ensure_topics(bootstrap: str, shards: int, replication: int = 1) -> list[str]:
    """Creates what is missing and returns its names. Raises `WrongTopic` where a count differs: it is never changed."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        there = set(await admin.list_topics())
        missing = [topic for topic in TOPICS if topic.name not in there]
        wanted = [
            NewTopic(topic.name, partitions_of(topic, shards), replication, topic_configs=topic_config(topic))
            for topic in missing
        ]
        if wanted:
            _raise_errors(await admin.create_topics(wanted))
        for described in await admin.describe_topics([topic.name for topic in TOPICS if topic.name in there]):
            _check(described, shards)
        return [topic.name for topic in missing]
    finally:
        await admin.close()


def _raise_errors(response: object) -> None:
    for name, code, *_ in getattr(response, "topic_errors", ()):
        if code not in (0, TopicAlreadyExistsError.errno):
            raise for_code(code)(f"topic {name} could not be created")


def _check(described: dict[str, object], shards: int) -> None:
    name = str(described["topic"])
    partitions = described["partitions"]
    got, expected = len(partitions) if isinstance(partitions, list) else 0, partitions_of(BY_NAME[name], shards)
    if got != expected:
        raise WrongTopic(f"topic {name}: expected {expected} partitions, got {got}; a partition count is never changed")
