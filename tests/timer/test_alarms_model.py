"""The alarms against the plainest thing that could do the same: a list of what stands, searched from end to end."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bus.decider import Deadline
from bus.records import TopicPartition
from timer.alarms import Alarm, Alarms
from timer.calendar import AHEAD_MS, BUCKET_BITS
from timer.shelf import TOO_EARLY_MS_MIN

SOURCES = [TopicPartition("table.events", number) for number in range(3)]
sources = st.sampled_from(SOURCES)
aggregates = st.sampled_from(["a", "b", "c", "d"])
near, soon, far = st.integers(-50, 200), st.integers(0, 3 * (1 << BUCKET_BITS)), st.integers(0, 5 * AHEAD_MS)
Place = tuple[TopicPartition, str]


class AlarmsBesideTheirModel(RuleBasedStateMachine):
    """`standing` says what waits (deadline, when, attempt); `sent` what is on its way."""

    def __init__(self) -> None:
        super().__init__()
        self.alarms = Alarms()
        self.now = 1000
        self.refs = 0
        self.held: set[TopicPartition] = set()
        self.ready: set[TopicPartition] = set()
        self.standing: dict[Place, tuple[Deadline, int, int]] = {}
        self.sent: dict[Place, Alarm] = {}

    @rule(source=sources)
    def gain_or_lose(self, source: TopicPartition) -> None:
        if source in self.held:
            self.alarms.lose(source)
            self.held.discard(source)
            self.ready.discard(source)
            self.standing = {place: alarm for place, alarm in self.standing.items() if place[0] != source}
            self.sent = {place: alarm for place, alarm in self.sent.items() if place[0] != source}
        else:
            self.alarms.gain(source)
            self.held.add(source)

    @rule(source=sources)
    def catch_up(self, source: TopicPartition) -> None:
        if source in self.held - self.ready:
            self.alarms.ready(source)
            self.ready.add(source)

    @rule(source=sources, aggregate=aggregates, wait=st.one_of(near, soon, far))
    def set_another(self, source: TopicPartition, aggregate: str, wait: int) -> None:
        if source in self.held:
            self.refs += 1
            deadline = Deadline("turn", f"turn-{self.refs}", self.now, self.now + wait)
            self.alarms.set(source, aggregate, deadline)
            self.standing[source, aggregate] = deadline, deadline.due_at, 1
            self.sent.pop((source, aggregate), None)

    @rule(source=sources, aggregate=aggregates)
    def repeat(self, source: TopicPartition, aggregate: str) -> None:
        place = source, aggregate
        if place in self.standing:
            self.alarms.set(source, aggregate, self.standing[place][0])
        elif place in self.sent:
            self.alarms.set(source, aggregate, self.sent[place].deadline)

    @rule(source=sources, aggregate=aggregates)
    def disarm(self, source: TopicPartition, aggregate: str) -> None:
        if source in self.held:
            self.alarms.set(source, aggregate, None)
            self.standing.pop((source, aggregate), None)
            self.sent.pop((source, aggregate), None)

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), early=st.integers(0, 300))
    def refuse_as_too_early(self, data: st.DataObject, early: int) -> None:
        place = data.draw(st.sampled_from(sorted(self.sent)))
        alarm = self.sent.pop(place)
        self.alarms.too_early(alarm, alarm.deadline.due_at - early, self.now)
        due_at = self.now + max(early, TOO_EARLY_MS_MIN)
        self.standing[place] = alarm.deadline, due_at, alarm.attempt + 1

    @rule(ms=st.one_of(near.filter(bool).map(abs), soon, far), count=st.integers(1, 5))
    def wait(self, ms: int, count: int) -> None:
        self.now += ms
        due = sorted(
            (when, place) for place, (_, when, _) in self.standing.items() if place[0] in self.ready and when < self.now
        )
        taken = self.alarms.take_due(self.now, count)
        assert [alarm.due_at for alarm in taken] == [when for when, _ in due[:count]]
        for alarm in taken:
            place = alarm.source, alarm.aggregate
            assert (alarm.deadline, alarm.due_at, alarm.attempt) == self.standing.pop(place)
            self.sent[place] = alarm

    @invariant()
    def the_next_look_is_not_later_than_the_earliest_of_those_that_may_ring(self) -> None:
        waiting = [when for place, (_, when, _) in self.standing.items() if place[0] in self.ready]
        next_look = self.alarms.next_look
        if waiting:
            assert next_look is not None
            assert next_look <= min(waiting)
        else:
            assert next_look is None
        assert len(self.alarms) == len(self.standing)
        assert all(self.alarms.on_its_way(alarm) for alarm in self.sent.values())


TestAlarmsBesideTheirModel = AlarmsBesideTheirModel.TestCase
TestAlarmsBesideTheirModel.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)
