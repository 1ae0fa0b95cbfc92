"""Snapshots of a decider's partitions: what spares a new owner the log from its beginning."""

from bus.snapshots.loading import Snapshot, load
from bus.snapshots.marker import Marker
from bus.snapshots.records import UnreadableSnapshot
from bus.snapshots.writing import SNAPSHOT_SECONDS, SnapshotWriter

__all__ = ["SNAPSHOT_SECONDS", "Marker", "Snapshot", "SnapshotWriter", "UnreadableSnapshot", "load"]
