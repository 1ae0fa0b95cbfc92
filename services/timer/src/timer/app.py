"""The parts of the timer's process: one tail over all deciders' events, one clockwork."""

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.outages import Outages
from bus.parts import kafka_parts
from bus.process import Process
from bus.records import TopicPartition
from bus.sender import LetterSender
from bus.settings import BusSettings
from bus.tail import Tail
from contracts.topics import TOPICS
from timer.alarms import Alarms
from timer.clockwork import PRINCIPAL, Clockwork

COMMANDS = ".commands"
DECIDERS = tuple(
    topic.owner for topic in TOPICS if topic.name == f"{topic.owner}{COMMANDS}" and PRINCIPAL in topic.writers
)


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    sender = LetterSender(log, PRINCIPAL, [f"{decider}{COMMANDS}" for decider in DECIDERS])

    def outages_of(partition: TopicPartition) -> Outages:  # the ring of parts is closed here: the tail knows them
        return tail.fold(partition).validity.outages

    clockwork = Clockwork(parts, sender, Alarms(), lambda _: None, outages_of)
    reading = Progress(parts.clock)
    tail = Tail(parts, clockwork, reading)
    group = GroupTail(parts, tail, "timer", [f"{decider}.events" for decider in DECIDERS])

    async def caught_up() -> bool:
        return group.ready

    return Process(
        name="timer",
        start=(log.wait_for_brokers, sender.start, group.start),
        loops=(group.run, clockwork.run),
        stop=(group.stop, clockwork.stop, sender.stop, log.close),
        progress={"reading": reading, "ringing": clockwork.progress},
        checks={"kafka": log.answers, "caught-up": caught_up},
    )
