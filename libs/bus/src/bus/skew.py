"""The clocks of a log's brokers, held against one another by whoever reads partitions of several leaders."""

import logging

from bus import telemetry
from bus.clock import Clock, Lead
from bus.records import Record, TopicPartition

log = logging.getLogger(__name__)

SKEW_MS = 200
"""Clocks that differ by no more are well kept."""
LOOK_SECONDS = 10.0
ALARM_SECONDS = 60.0
AHEAD = "the brokers' clocks differ by %d ms: the leader of %s:%d is ahead of that of %s:%d"


class Skew:
    """How far the clock of each partition's leader is ahead of this process's. A record that was read late makes its
    leader look slow: what counts is the freshest of half a minute, and only partitions that are read all the time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leads: dict[TopicPartition, Lead] = {}
        self._looked_at = clock.monotonic()
        self._alarmed_at: float | None = None

    def learn(self, record: Record) -> None:
        """The newest record of a partition has just been read; it was waited for."""
        now = self._clock.monotonic()
        partition = TopicPartition(record.topic, record.partition)
        lead = self._leads.get(partition)
        if lead is None:
            lead = self._leads[partition] = Lead()
        lead.learn(record.timestamp - now * 1000, now)
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            self._look(now)

    def _look(self, now: float) -> None:
        known = [
            (ahead, partition)
            for partition, lead in self._leads.items()
            if lead.settled(now) and (ahead := lead.at(now)) is not None
        ]
        if not known:
            return
        (least, slow), (most, fast) = min(known), max(known)
        rested = self._alarmed_at is None or now - self._alarmed_at >= ALARM_SECONDS
        if most - least > SKEW_MS and rested:
            self._alarmed_at = now
            log.error(AHEAD, most - least, *fast, *slow)
            telemetry.alarms.add(1, {"kind": "clock-skew"})
