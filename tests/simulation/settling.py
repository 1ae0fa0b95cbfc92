"""What must hold of those who are alive: at every outcome, and in the end when nothing goes wrong any more."""

from typing import TYPE_CHECKING, Any

from tests.simulation.consequences import unsaid
from tests.simulation.processes import elapse
from tests.simulation.told import Told, Violation
from tests.simulation.truth import Ledger

from bus.aggregate import Aggregate as Held
from bus.owner import Owner
from bus.records import Record, TopicPartition
from domino_rules.table import Expired, Finished

if TYPE_CHECKING:
    from tests.simulation.world import World

SETTLE_SECONDS_MAX = 120.0
LOOK_SECONDS = 0.1
LATE_SECONDS = 8.0
SILENT_SECONDS_MAX = 12.0
BEHIND_SECONDS = 3.0


class Settling:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._compared: dict[TopicPartition, bytes] = {}

    # ---- at every outcome

    def live(self, told: Told, record: Record) -> None:
        """The owner of a valid outcome, if it still runs, holds that state or a later one."""
        ledger = self._world.truth.ledgers[told.partition]
        owner = self._owner(ledger)
        if owner is not None and self._compared.get(told.partition) != ledger.owner:
            self._compared[told.partition] = ledger.owner
            self._check_all(ledger, owner)
        key = (record.key or b"").decode(errors="replace")
        known = ledger.aggregates.get(key)
        if owner is None or known is None:
            return
        held = owner._shard.aggregates.get(key)
        if held is not None and held.version == known.version and _state(held) != known.state:
            raise Violation(f"fold = live state: {key} differs at version {known.version}")

    def _check_all(self, ledger: Ledger, owner: Owner[Any, Any, Any]) -> None:
        """At the first outcome of a claim: what was restored, from a snapshot or not, is the fold of the log."""
        for key, known in ledger.aggregates.items():
            held = owner._shard.aggregates.get(key)
            if held is None and key in owner._shard.retired:
                continue
            if held is None or held.version < known.version:
                raise Violation(f"fold = live state: {key} is not at {known.version} in what was restored")
            if held.version == known.version and _state(held) != known.state:
                raise Violation(f"fold = live state: {key} differs at version {known.version} in what was restored")

    def _owner(self, ledger: Ledger) -> Owner[Any, Any, Any] | None:
        for process in self._world.processes.get(ledger.decider.name, ()):
            if process.inside is not None:
                owner = process.inside._owners.get(ledger.partition.partition)
                if owner is not None and owner.owning and owner._confirmed.validity.owner == ledger.owner:
                    found: Owner[Any, Any, Any] = owner
                    return found
        return None

    # ---- in the end

    async def settle(self) -> None:
        """Returns when all is decided and seen; raises `Violation` when that does not come about."""
        await self._until_nothing_is_missing()
        await elapse(BEHIND_SECONDS)
        await self._until_nothing_is_missing()
        await self._until_no_deadline_is_late()
        for ledger in self._world.truth.ledgers.values():
            self._check_live(ledger)
        self._check_cache()

    async def _until_nothing_is_missing(self) -> None:
        loop = self._world.loop
        until = loop.time() + SETTLE_SECONDS_MAX
        while (missing := self._missing()) is not None:
            if loop.time() > until:
                raise Violation(f"processes go on: {missing}, {SETTLE_SECONDS_MAX:.0f} s after the last fault")
            await elapse(LOOK_SECONDS)

    def _missing(self) -> str | None:
        world = self._world
        for kind, processes in world.processes.items():
            for process in processes:
                if not process.started:
                    return f"{process.name} does not start"
                if kind in ("table", "tally", "lobby") and not process.inside.ready:
                    return f"{process.name} does not become ready"
        for ledger in world.truth.ledgers.values():
            end = world.broker.end(ledger.commands)
            if ledger.next_command < end - 1 or (ledger.decider.name != "table" and ledger.next_command < end):
                return f"command {ledger.next_command} of {ledger.commands} is missing"
            if self._owner(ledger) is None:
                return f"an owner of {ledger.partition} is missing"
        return unsaid(world.broker, world.truth)

    def _check_live(self, ledger: Ledger) -> None:
        owner = self._owner(ledger)
        assert owner is not None
        shard = owner._shard
        if shard.fold.validity.next_command != ledger.next_command:
            return  # ahead by what is under way
        held = {key: (known.version, _state(known)) for key, known in shard.aggregates.items()}
        truth = {key: (known.version, known.state) for key, known in ledger.aggregates.items()}
        if held != truth:
            wrong = sorted(key for key in held.keys() | truth.keys() if held.get(key) != truth.get(key))
            raise Violation(f"fold = live state: {ledger.partition} differs in {wrong}")

    async def _until_no_deadline_is_late(self) -> None:
        """A timeout may be on its way, once or twice, to brokers that say nothing."""
        loop = self._world.loop
        until = loop.time() + SILENT_SECONDS_MAX
        while (late := self._late()) is not None:
            if loop.time() > until:
                raise Violation(f"timeouts: {late}")
            await elapse(LOOK_SECONDS)

    def _late(self) -> str | None:
        broker = self._world.broker
        now = broker.log_now()
        for ledger in self._world.truth.ledgers.values():
            for key, known in ledger.aggregates.items():
                if known.deadline is None or (due := ledger.due(known.deadline)) >= now:
                    continue
                if (late := broker.since(due)) > LATE_SECONDS:
                    return f"{key} is forgotten since {late:.1f} s at {known.deadline.ref}"
        return None

    def _check_cache(self) -> None:
        """The cache has followed all tables that are in play."""
        world = self._world
        since = world.loop.time() - BEHIND_SECONDS
        for ledger in world.truth.ledgers.values():
            if ledger.decider.name != "table":
                continue
            for key, known in ledger.aggregates.items():
                must = max((version for version, seen in known.states.items() if seen[2] < since), default=0)
                held = world.valkey.written.get(f"table:{key}")
                over = isinstance(known.state, Finished | Expired)
                if must and not over and (held is None or known.states[must][1].offset > held[1]):
                    raise Violation(f"the cache follows: {key} is at {must}")


def _state(held: Held[Any]) -> Any:
    """Its state, without thawing it for good."""
    frozen = held._frozen
    return held.state if frozen is None else frozen.thawed().state
