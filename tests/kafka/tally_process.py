"""A tally decider as a process of its own: `python -m tests.kafka.tally_process`, named by TALLY_NAME.

TALLY_SNAPSHOT_SECONDS is empty where no snapshots are kept.
"""

import os
from collections.abc import Sequence

from tests.bus.tally import Add, Command, Event, Tally, TallyDecider

from bus.decider import Context
from bus.parts import kafka_parts
from bus.process import Process, main
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings
from contracts.envelope import Refusal, Retired

DEADLY = 666
DEATH = 70


class MortalDecider(TallyDecider):
    """Adds as every tally does, but for one number: that ends its process with the status `DEATH`."""

    def decide(self, state: Tally | None, command: Command, context: Context) -> Sequence[Event] | Refusal | Retired:
        if isinstance(command, Add) and command.number == DEADLY:
            os._exit(DEATH)
        return super().decide(state, command, context)


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    every = os.environ["TALLY_SNAPSHOT_SECONDS"]
    decider = MortalDecider(os.environ["TALLY_NAME"])
    runtime = DeciderRuntime(decider, parts, settings.session_ms, float(every) if every else None)
    return Process("tally", start=(runtime.start,), loops=(runtime.run,), stop=(runtime.stop, log.close))


if __name__ == "__main__":
    main("tally", BusSettings, build)
