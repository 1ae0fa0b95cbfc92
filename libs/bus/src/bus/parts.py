"""The parts that every process on Kafka starts from, in one place."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from bus.access import KafkaAccess
from bus.clock import BrokerTime, Clock, SystemClock
from bus.kafka import KafkaLog
from bus.records import Log
from bus.settings import BusSettings
from bus.tasks import LoopTasks, Tasks


@dataclass(frozen=True, slots=True)
class Parts:
    """Log, time, scheduling and chance of one process; production's by default. `entropy(n)` gives n random bytes,
    `chance()` a number from 0 to 1."""

    log: Log
    clock: Clock = field(default_factory=SystemClock)
    tasks: Tasks = field(default_factory=LoopTasks)
    entropy: Callable[[int], bytes] = os.urandom
    chance: Callable[[], float] = random.random
    time: BrokerTime = field(default_factory=lambda: BrokerTime(SystemClock()))


def kafka_parts(settings: BusSettings) -> tuple[KafkaLog, Parts]:
    """The log of the brokers in the settings, and the parts around it."""
    log = KafkaLog(settings.kafka_bootstrap, settings.session_ms, KafkaAccess.of(settings))
    return log, Parts(log)
