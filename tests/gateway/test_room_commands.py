"""Commands to rooms, with a log that answers as a test says."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.memory_log import HandClock

from bus.clock import BrokerTime
from bus.tasks import LoopTasks
from contracts.envelope import CommandEnvelope, OutcomeBody, Refusal
from contracts.room import EnterRoom, LeaveRoom, PersonAway, PersonEntered, RoomOpened, room_of
from gateway.answers import Answers
from gateway.commands import Commands
from gateway.company import Company
from gateway.identity import Identity
from gateway.places import Place
from gateway.problems import ProblemError
from gateway.room_codes import RoomCodes
from gateway.room_commands import CODES_TRIED_MAX, RoomCommands

RULESET = {"preset": "draw", "seats": 2}
ANN, ROBOT = Identity("ann", "eu"), Identity("robot", "eu", bot=True)
CODES = RoomCodes(bytes(32))
TAKEN = Refusal(code="code-taken", message="the code is taken")


class Log:
    """Answers every command at once, with a refusal where `refuses` has one for its aggregate."""

    def __init__(self) -> None:
        self.answers = Answers()
        self.sent: list[CommandEnvelope] = []
        self.refuses: Callable[[str], Refusal | None] = lambda _: None

    async def send(self, envelope: CommandEnvelope, trace: Any = None) -> None:
        self.sent.append(envelope)
        outcome = OutcomeBody(
            command_id=envelope.id,
            principal=envelope.principal,
            aggregate=envelope.aggregate,
            version=3,
            at=0,
            decided_at=0,
            rules_version="1",
            refusal=self.refuses(envelope.aggregate),
        )
        self.answers.settle("lobby.events", outcome)


class Asking:
    def __init__(self, redis: Redis) -> None:
        self.log, clock = Log(), HandClock()
        self.rooms = Company.of(redis, clock, BrokerTime(clock), LoopTasks()).rooms
        commands = Commands({"lobby": self.log}, self.log.answers)
        self.commands = RoomCommands(commands, self.rooms, CODES, "eu")

    @property
    def sent(self) -> list[tuple[str, str]]:
        return [(envelope.aggregate, envelope.command["type"]) for envelope in self.log.sent]


@pytest.fixture
async def asking() -> AsyncIterator[Asking]:
    redis = Redis.from_url("redis://127.0.0.1:1/0")
    yield Asking(redis)
    await redis.aclose()


async def test_a_room_is_opened_by_the_code_that_the_request_draws(asking: Asking) -> None:
    codes = [await asking.commands.open(ANN, command_id, RULESET) for command_id in ("a", "a", "b")]
    assert codes == [CODES.of("ann", "a", 0), CODES.of("ann", "a", 0), CODES.of("ann", "b", 0)]
    assert asking.sent[0] == (room_of(codes[0]), "open-room")
    assert asking.log.sent[0].command == {"type": "open-room", "region": "eu", "ruleset": RULESET}


async def test_another_code_is_tried_where_one_is_taken_and_no_more_where_all_are(asking: Asking) -> None:
    first = room_of(CODES.of("ann", "a", 0))
    asking.log.refuses = lambda aggregate: TAKEN if aggregate == first else None
    assert await asking.commands.open(ANN, "a", RULESET) == CODES.of("ann", "a", 1)
    asking.log.refuses = lambda _: TAKEN
    asking.log.sent.clear()
    with pytest.raises(ProblemError, match="codes-unavailable"):
        await asking.commands.open(ANN, "a", RULESET)
    assert len(asking.log.sent) == CODES_TRIED_MAX


async def test_any_other_refusal_is_the_answer(asking: Asking) -> None:
    asking.log.refuses = lambda _: Refusal(code="bad-ruleset", message="seats", expected="2 to 4", got="9")
    with pytest.raises(ProblemError) as raised:
        await asking.commands.open(ANN, "a", RULESET)
    problem = raised.value.problem
    assert (problem.status, problem.code, problem.expected, problem.got) == (409, "bad-ruleset", "2 to 4", "9")
    assert len(asking.log.sent) == 1


async def test_a_program_that_opens_a_room_is_labelled_by_its_token(asking: Asking) -> None:
    await asking.commands.open(ROBOT, "a", RULESET)
    assert asking.log.sent[0].command["bot"] is True


async def test_who_comes_in_is_labelled_by_the_token_and_not_by_word(asking: Asking) -> None:
    for who in (ANN, ROBOT):
        await asking.commands.ask(who, "a", "ABC234", EnterRoom(bot=who is ANN))
    assert [envelope.command.get("bot") for envelope in asking.log.sent] == [False, True]
    accepted = await asking.commands.ask(ANN, "b", "ABC234", LeaveRoom())
    assert (accepted.id, accepted.version) == ("b", 3)


async def test_a_note_goes_to_the_rooms_that_do_not_know_it_yet_and_is_no_persons_act(asking: Asking) -> None:
    opened = RoomOpened(host="ann", region="eu", ruleset=RULESET, at=1, expires_at=2)
    entered = PersonEntered(account="ben", bot=False, seat=2)
    gone = PersonAway(account="ben", at=3)
    for code, events in (("ABC234", (opened, entered)), ("XYZ789", (opened, entered, gone))):
        asking.rooms.take(room_of(code), len(events), [event.model_dump(mode="json") for event in events])
    await asking.commands.note("ben", Place(bot=False), away=True)
    assert asking.sent == [("room-abc234", "note-away-from-room")]
    await asking.commands.note("ben", Place(bot=False), away=False)
    assert asking.sent[1:] == [("room-xyz789", "note-back-in-room")]
    assert [(envelope.principal, envelope.human) for envelope in asking.log.sent] == [("ben", False)] * 2
