"""The parts of the table's process: the decider alone. What others make of its events is the projector's."""

from bus.parts import kafka_parts
from bus.process import Process
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings
from bus.snapshots import SNAPSHOT_SECONDS
from table.decider import TableDecider


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    decider = DeciderRuntime(TableDecider(), parts, settings.session_ms, SNAPSHOT_SECONDS)

    async def caught_up() -> bool:
        return decider.ready

    return Process(
        name="table",
        start=(log.wait_for_brokers, decider.start),
        loops=(decider.run,),
        stop=(decider.stop, log.close),
        progress={"decider": decider.progress},
        checks={"kafka": log.answers, "caught-up": caught_up},
    )
