import logging

from bus.sparing import QUIET_SECONDS, Sparing


class Hands:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def logged(sparing: Sparing, name: str, text: str, line: int = 1, argument: str = "") -> str | None:
    record = logging.LogRecord(name, logging.ERROR, "client.py", line, text, (argument,) if argument else (), None)
    return record.getMessage() if sparing.filter(record) else None


def test_a_message_comes_once_in_ten_seconds_and_says_how_many_were_held_back() -> None:
    clock = Hands()
    sparing = Sparing("aiokafka", clock)
    assert logged(sparing, "aiokafka.conn", "no broker at %s", argument="a") == "no broker at a"
    for _ in range(3):
        assert logged(sparing, "aiokafka.conn", "no broker at %s", argument="b") is None
    clock.seconds += QUIET_SECONDS
    assert logged(sparing, "aiokafka.conn", "no broker at %s", argument="c") == "no broker at c (and 3 like it before)"
    clock.seconds += QUIET_SECONDS
    assert logged(sparing, "aiokafka.conn", "no broker at %s", argument="d") == "no broker at d"


def test_another_message_and_another_logger_are_not_held_back() -> None:
    sparing = Sparing("aiokafka", Hands())
    assert logged(sparing, "aiokafka", "one", line=1) == "one"
    assert logged(sparing, "aiokafka", "two", line=2) == "two"
    assert logged(sparing, "bus.owner", "mine") == "mine"
    assert logged(sparing, "bus.owner", "mine") == "mine"
