"""What people type in a private room."""

import pytest
from tests.capicua.room_messages import CODE, private_room
from tests.capicua.scripted_product import ScriptedProduct

from capicua import Client
from capicua.terminal.choice import NotUnderstood
from capicua.terminal.room_keys import HELP, deed, person
from contracts.room_api import PersonInRoom, PrivateRoom

ADA, BEN = {"account": "gada"}, {"account": "gben"}
EXPERT = {"strength": "expert"}


@pytest.fixture
def view() -> PrivateRoom:
    """Ada and Ben on 1 and 2, nobody on 3, an expert on 4; Bea beside them."""
    people = [PersonInRoom(account=f"g{name.lower()}", name=name) for name in ("Ada", "Ben", "Bea")]
    return private_room(people=people)


@pytest.mark.parametrize(
    ("line", "seats"),
    [
        ("bots", [ADA, BEN, {"strength": "normal"}, EXPERT]),
        ("bots beginner", [ADA, BEN, {"strength": "beginner"}, EXPERT]),
        ("seat 3 Bea", [ADA, BEN, {"account": "gbea"}, EXPERT]),
        ("seat 4 ada", [EXPERT, BEN, {}, ADA]),
        ("seat 2 normal", [ADA, {"strength": "normal"}, {}, EXPERT]),
        ("seat 1 free", [{}, BEN, {}, EXPERT]),
        ("swap 2 4", [ADA, EXPERT, {}, BEN]),
        ("SWAP 2  4", [ADA, EXPERT, {}, BEN]),
    ],
)
async def test_seats_are_arranged(
    product: ScriptedProduct, player: Client, view: PrivateRoom, line: str, seats: list[dict[str, str]]
) -> None:
    await deed(line, await player.room(CODE), view)()
    asked = await product.request(f"POST /v1/private-rooms/{CODE}")
    assert asked.body["command"] == {"type": "arrange-seats", "seats": seats}


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("start", {"type": "start-match"}),
        ("remove be", None),
        ("remove ben", {"type": "remove-person", "account": "gben"}),
        ("host Bea", {"type": "hand-over", "account": "gbea"}),
        (
            "play party seats=4 pairs=yes target=150 turn_seconds=30",
            {
                "type": "choose-ruleset",
                "ruleset": {"preset": "party", "seats": 4, "pairs": True, "target": 150, "turn_ms": 30_000},
            },
        ),
        (
            "play all-fives spinner clock-minutes=3 round_cap=none",
            {
                "type": "choose-ruleset",
                "ruleset": {"preset": "all-fives", "spinner": True, "clock_ms": 180_000, "round_cap": None},
            },
        ),
    ],
)
async def test_the_host_s_words_are_commands(
    product: ScriptedProduct, player: Client, view: PrivateRoom, line: str, command: dict[str, object] | None
) -> None:
    room = await player.room(CODE)
    if command is None:
        with pytest.raises(NotUnderstood, match="2 people here are called 'be'"):
            deed(line, room, view)
        return
    await deed(line, room, view)()
    assert (await product.request(f"POST /v1/private-rooms/{CODE}")).body["command"] == command


async def test_a_screen_is_paired(product: ScriptedProduct, player: Client, view: PrivateRoom) -> None:
    room = await player.room(CODE)
    await deed("screen xyz789", room, view)()
    assert (await product.request(f"POST /v1/private-rooms/{CODE}/screens")).body == {"pairing": "XYZ789"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "expected start, bots, seat"),
        ("say", "expected start, bots, seat"),
        ("seat 5 Ada", "expected a seat from 1 to 4, got '5'"),
        ("seat x", "expected a seat from 1 to 4, got 'x'"),
        ("swap 1", "expected a seat from 1 to 4, got ''"),
        ("bots clever", "expected beginner, normal, expert, got 'clever'"),
        ("remove Zoe", "expected one of Ada, Ben, Bea, got 'Zoe'"),
        ("remove", "expected one of Ada, Ben, Bea, got ''"),
        ("play whist", "preset: expected one of draw"),
        ("play draw seats=7", "seats: expected a whole number from 2 to 4, got 7"),
        ("play", "preset: expected one of draw"),
        ("play draw turn=30", "turn_ms, turn_seconds, got 'turn'"),
    ],
)
async def test_what_is_not_understood_is_explained(player: Client, view: PrivateRoom, line: str, said: str) -> None:
    room = await player.room(CODE)
    with pytest.raises(NotUnderstood) as wrong:
        deed(line, room, view)
    assert said in str(wrong.value)


def test_a_whole_name_means_its_owner_even_where_another_begins_with_it() -> None:
    people = [PersonInRoom(account="g1", name="Ann"), PersonInRoom(account="g2", name="Anna")]
    assert person("ann", private_room(people=people)) == "g1"


def test_the_help_fits_a_small_terminal() -> None:
    assert len(HELP.splitlines()) <= 22
    assert max(map(len, HELP.splitlines())) <= 80
