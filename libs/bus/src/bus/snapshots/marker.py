"""A marker says that a claim's snapshot is whole up to a place in the event log, and what the fold rule knows there."""

from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from bus.outages import Outage, Outages
from bus.snapshots.records import UnreadableSnapshot, seal, unseal
from bus.validity import Trials, Validity


@dataclass(frozen=True, slots=True)
class Marker:
    """`position`: the event offset that the fold goes on from. `validity` and `digest` are those just before it.
    `aggregates` is how many the snapshot holds at least, `quarantined` how many of them could not be folded by the
    rules of `rules_version`. `snapshot_version` is the decider's."""

    position: int
    validity: Validity
    digest: int
    last_command_id: str | None
    aggregates: int
    quarantined: int
    rules_version: str
    snapshot_version: int

    def key(self, partition: int) -> bytes:
        return f"{partition}@{self.validity.claim_offset}".encode()

    def pack(self) -> bytes:
        known = self.validity
        body = {
            "position": self.position,
            "log_id": (known.log_id or b"").hex(),
            "claim_offset": known.claim_offset,
            "owner": known.owner.hex(),
            "commands_end": known.commands_end,
            "next_command": known.next_command,
            "last_command_id": self.last_command_id,
            "digest": self.digest,
            "aggregates": self.aggregates,
            "quarantined": self.quarantined,
            "rules_version": self.rules_version,
            "snapshot_version": self.snapshot_version,
            "heard_at": known.outages.heard_at,
            "passed": known.outages.passed,
            "tells": known.outages.tells,
            "untold": [list(silence) for silence in known.outages.untold],
            "outages": [list(outage) for outage in known.outages.known],
            "trials": [known.trials.fruitless, known.trials.alone, known.trials.waiting, known.trials.now_alone],
        }
        return seal(to_json(body))

    @classmethod
    def unpack(cls, sealed: bytes) -> "Marker":
        """Raises `UnreadableSnapshot`."""
        content = unseal(sealed)
        try:
            return cls._of(from_json(content))
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableSnapshot(f"{type(error).__name__} in a marker") from None

    @classmethod
    def _of(cls, body: dict[str, Any]) -> "Marker":
        validity = Validity(
            bytes.fromhex(body["log_id"]) or None,
            body["claim_offset"],
            bytes.fromhex(body["owner"]),
            body["commands_end"],
            body["next_command"],
            _outages(body),
            Trials(*body["trials"]),
        )
        return cls(
            body["position"],
            validity,
            body["digest"],
            body["last_command_id"],
            body["aggregates"],
            body["quarantined"],
            body["rules_version"],
            body["snapshot_version"],
        )


def _outages(body: dict[str, Any]) -> Outages:
    """Of a marker, also of one from before owners told of silences."""
    known, untold = (tuple(Outage(*outage) for outage in body.get(name, ())) for name in ("outages", "untold"))
    return Outages(body["heard_at"], known, body.get("passed", 0), body.get("tells", False), untold)
