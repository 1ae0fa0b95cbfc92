from contracts.topics import BY_NAME
from timer.app import DECIDERS


def test_every_decider_whose_commands_the_timer_may_write_is_served_and_can_be_read() -> None:
    assert set(DECIDERS) == {
        name.removesuffix(".commands")
        for name, topic in BY_NAME.items()
        if name.endswith(".commands") and "timer" in topic.writers
    }
    assert {"table", "lobby"} <= set(DECIDERS)
    for decider in DECIDERS:
        assert "timer" in BY_NAME[f"{decider}.events"].readers
