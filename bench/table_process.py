"""The table process with known entropy instead of chance; all else as in production."""

from dataclasses import replace

from bench.matches import known_entropy
from bus.parts import kafka_parts
from bus.process import Process, main
from bus.runtime import DeciderRuntime
from bus.settings import BusSettings
from table.decider import TableDecider


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    runtime = DeciderRuntime(TableDecider(), replace(parts, entropy=known_entropy), settings.session_ms)
    return Process("bench-table", start=(runtime.start,), loops=(runtime.run,), stop=(runtime.stop, log.close))


if __name__ == "__main__":
    main("bench-table", BusSettings, build)
