"""Snapshots of the timer's partitions: what spares the next timer the logs from their beginning."""

from timer.snapshots.loading import SnapshotLoader
from timer.snapshots.writing import SNAPSHOT_SECONDS, SnapshotWriter

__all__ = ["SNAPSHOT_SECONDS", "SnapshotLoader", "SnapshotWriter"]
