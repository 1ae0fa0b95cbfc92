"""The parts of the timer's process: one tail over all deciders' events, one clockwork."""

from bus.group_tail import GroupTail
from bus.health import Progress
from bus.parts import kafka_parts
from bus.process import Process
from bus.sender import LetterSender
from bus.settings import BusSettings
from bus.tail import Tail
from timer.clockwork import Clockwork

DECIDERS = ("table", "lobby")


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    sender = LetterSender(log, "timer", [f"{decider}.commands" for decider in DECIDERS])
    clockwork = Clockwork(parts, sender)
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
