"""A tally decider as a process of its own: `python -m tests.kafka.tally_process`, named by TALLY_NAME."""

import os

from tests.bus.tally import TallyDecider

from bus.parts import kafka_parts
from bus.process import Process, main
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    runtime = DeciderRuntime(TallyDecider(os.environ["TALLY_NAME"]), parts, settings.session_ms)
    return Process("tally", start=(runtime.start,), loops=(runtime.run,), stop=(runtime.stop, log.close))


if __name__ == "__main__":
    main("tally", BusSettings, build)
