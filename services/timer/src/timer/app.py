"""The parts of the timer's process: one tail over all deciders' events, one clockwork, snapshots of what it keeps."""

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.outcomes import PartitionFold
from bus.parts import kafka_parts
from bus.process import Process
from bus.records import TopicPartition
from bus.sender import LetterSender
from bus.settings import BusSettings
from bus.tail import Tail
from contracts.topics import TOPICS
from timer.alarms import Alarms
from timer.clockwork import PRINCIPAL, Clockwork
from timer.snapshots import SNAPSHOT_SECONDS, SnapshotLoader, SnapshotWriter

COMMANDS = ".commands"
DECIDERS = tuple(
    topic.owner for topic in TOPICS if topic.name == f"{topic.owner}{COMMANDS}" and PRINCIPAL in topic.writers
)


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    sender = LetterSender(log, PRINCIPAL, [f"{decider}{COMMANDS}" for decider in DECIDERS])

    def fold_of(partition: TopicPartition) -> PartitionFold:  # the ring of parts is closed here: the tail knows it
        return tail.fold(partition)

    reading = Progress(parts.clock)
    topics = [f"{decider}.events" for decider in DECIDERS]
    alarms, loader = Alarms(), SnapshotLoader(parts, topics, reading)
    clockwork = Clockwork(parts, sender, alarms, loader.take, fold_of)
    snapshots = SnapshotWriter(parts, alarms, fold_of, loader.keys, SNAPSHOT_SECONDS)
    tail = Tail(parts, clockwork, reading)
    group = GroupTail(parts, tail, "timer", topics, loader.load)

    async def put_snapshots_away() -> None:
        await snapshots.stop()
        await loader.stop()

    async def caught_up() -> bool:
        return group.ready

    return Process(
        name="timer",
        start=(log.wait_for_brokers, sender.start, loader.start, group.start),
        loops=(group.run, clockwork.run, snapshots.run),
        stop=(group.stop, clockwork.stop, put_snapshots_away, sender.stop, log.close),
        progress={"reading": reading, "ringing": clockwork.progress},
        checks={"kafka": log.answers, "caught-up": caught_up},
    )
