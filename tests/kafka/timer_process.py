"""A timer as a process of its own: `python -m tests.kafka.timer_process`.

It serves the toy decider named by TALLY_NAME, in the group TIMER_GROUP, with a snapshot of every partition each
TIMER_SNAPSHOT_SECONDS.
"""

import os
from typing import Any

import timer.app
from bus.group_tail import GroupTail
from bus.parts import Parts
from bus.process import Process, main
from bus.settings import BusSettings
from bus.tail import Tail


def group_tail(parts: Parts, tail: Tail, _: str, *arguments: Any) -> GroupTail:
    return GroupTail(parts, tail, os.environ["TIMER_GROUP"], *arguments)


def build(settings: BusSettings) -> Process:
    own = {
        "DECIDERS": (os.environ["TALLY_NAME"],),
        "SNAPSHOT_SECONDS": float(os.environ["TIMER_SNAPSHOT_SECONDS"]),
        "GroupTail": group_tail,
    }
    for name, value in own.items():
        setattr(timer.app, name, value)
    return timer.app.build(settings)


if __name__ == "__main__":
    main("timer", BusSettings, build)
