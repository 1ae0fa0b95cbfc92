import io

from rich.console import Console
from tests.capicua.matches import match, replay

from capicua.commands.replay import print_step
from capicua.replay import Step, Verification


def printed(step: Step, given_back_ms: int = 0) -> list[str]:
    out = io.StringIO()
    print_step(step, Console(file=out, width=80, color_system=None, highlight=False), given_back_ms)
    return out.getvalue().splitlines()


def test_a_replay_says_which_time_was_added_and_for_whom() -> None:
    steps = list(Verification(replay(list(match("draw", 2, 50)))).steps())
    step = next(step for step in steps if any(event["type"] == "turn-started" for event in step.outcome.events))
    plain = printed(step)
    events = [event | ({"credit_ms": 83} if event["type"] == "turn-started" else {}) for event in step.outcome.events]
    credited = Step(step.outcome.model_copy(update={"events": tuple(events)}), step.state, step.wrong)
    seat = next(event["seat"] for event in events if event["type"] == "turn-started")
    version = f"{step.outcome.version:>4}  "
    added = [
        f"{version}(the service was silent: 9 s were given back)",
        f"{version}(seat {seat} gets 83 ms more for its connection)",
    ]
    assert printed(credited, 9_400) == [*added, *plain]
    assert not any("given back" in line or "connection" in line for line in plain)
