"""What must hold at every table after every outcome."""

from typing import TYPE_CHECKING, Any

from tests.simulation.told import Aggregate, Told, Violation

if TYPE_CHECKING:
    from tests.simulation.truth import Ledger


def check_table(ledger: "Ledger", told: Told, known: Aggregate) -> None:
    if ledger.decider.name == "table" and told.body.get("events"):
        _check_tiles(known.state, told.body["aggregate"])


def _check_tiles(state: Any, key: str) -> None:
    match = state.match
    if match.round is None:
        return
    current = match.round
    tiles = [tile for hand in current.hands for tile in hand]
    tiles += [*current.boneyard, *(play.tile for play in current.layout.plays)]
    if sorted(tiles) != list(range(28)):
        raise Violation(f"28 tiles: {key} has {sorted(tiles)}")
