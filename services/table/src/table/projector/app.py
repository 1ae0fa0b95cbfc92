"""The parts of the projector's process."""

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.parts import kafka_parts
from bus.process import Process
from bus.records import Membership, TopicPartition
from bus.sender import LetterSender
from bus.tail import Tail
from table.projector.live_cache import LiveCache
from table.projector.projection import Projection
from table.settings import ProjectorSettings


def build(settings: ProjectorSettings) -> Process:
    log, parts = kafka_parts(settings)
    sender = LetterSender(log, "table-projector", ["table.lifecycle", "table.dead"])
    cache = LiveCache(settings.redis_url)
    reading = Progress(parts.clock)

    def membership() -> Membership:
        return group.membership

    def log_id(partition: TopicPartition) -> str:
        return (tail.fold(partition).validity.log_id or b"").hex()

    projection = Projection(parts, sender, cache, membership, log_id, reading)
    tail = Tail(parts, projection, reading)
    group = GroupTail(parts, tail, "table-projector", ["table.events"])

    async def caught_up() -> bool:
        return group.ready and projection.cache_reached

    return Process(
        name="table-projector",
        start=(log.wait_for_brokers, sender.start, group.start),
        loops=(group.run, projection.run),
        stop=(group.stop, projection.stop, sender.stop, cache.close, log.close),
        progress={"reading": reading, "caching": projection.progress},
        checks={"kafka": log.answers, "redis": cache.answers, "caught-up": caught_up},
    )
