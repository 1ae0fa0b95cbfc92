"""What the host types in a private room, as what it does, and the help on all that one may type there."""

from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import Any

from capicua.private_room import Room, arranged
from capicua.terminal.choice import NotUnderstood
from capicua.terminal.room_page import names_in
from capicua.terminal.words import HELP as WORDS_HELP
from capicua.terminal.words import HELP_TEXT, whose
from contracts.room import RoomSeat
from contracts.room_api import PrivateRoom
from domino_bots import Strength
from domino_rules import Ruleset, RulesetError
from domino_rules.public_play import TIMES

STRENGTHS = tuple(strength.value for strength in Strength)
HELP = f"""\
For everybody:
{HELP_TEXT}
{WORDS_HELP}
  qr                     the way in as a picture for a phone
  q                      leave the room
For the host:
  start                  begin the match, once no seat is free
  bots [STRENGTH]        house bots on all free seats: {", ".join(STRENGTHS)}
  seat N WHO             who sits there: a name, a bot's strength, or free
  swap N M               two seats change places
  play PRESET OPTION=X   what is played: play party seats=4 pairs=yes target=150
  remove NAME            send somebody out, for good
  host NAME              make somebody else the host
  screen CODE            show this room on the screen that shows that code"""
OPTIONS = {field.name for field in fields(Ruleset)} - {"preset"} | set(TIMES)
"""What may be chosen beside the preset; times in milliseconds too."""

Deed = Callable[[], Awaitable[None]]


def deed(line: str, room: Room, view: PrivateRoom) -> Deed:
    """What a host's line such as `seat 2 Ada` asks for. Raises `NotUnderstood`."""
    verb, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    match verb.lower():
        case "start":
            return room.start
        case "bots":
            return _arrange(room, _filled(view, _strength(rest or "normal")))
        case "seat":
            return _arrange(room, _with_somebody(rest, view))
        case "swap":
            return _arrange(room, _swapped(rest, view))
        case "play":
            options = _options(rest)
            return lambda: room.choose_ruleset(options)
        case "remove":
            who = person(rest, view)
            return lambda: room.remove(who)
        case "host":
            who = person(rest, view)
            return lambda: room.hand_over(who)
        case "screen":
            return lambda: room.pair_screen(rest.upper())
    raise NotUnderstood(f"expected start, bots, seat, swap, play, remove, host, screen, say or ?, got {line.strip()!r}")


def person(name: str, view: PrivateRoom) -> str:
    """The account of somebody in the room, by the name or the beginning of it. Raises `NotUnderstood`."""
    return whose(name, names_in(view))


def _arrange(room: Room, seats: dict[int, RoomSeat]) -> Deed:
    return lambda: room.arrange_seats(seats[number] for number in sorted(seats))


def _filled(view: PrivateRoom, strength: Strength) -> dict[int, RoomSeat]:
    seats = arranged(view)
    bot = RoomSeat(strength=strength.value)
    return {number: bot if seat == RoomSeat() else seat for number, seat in seats.items()}


def _with_somebody(rest: str, view: PrivateRoom) -> dict[int, RoomSeat]:
    number_text, _, who = rest.partition(" ")
    seats = arranged(view)
    number = _seat(number_text, seats)
    if who in STRENGTHS:
        return seats | {number: RoomSeat(strength=who)}
    if who in ("free", "nobody", ""):
        return seats | {number: RoomSeat()}
    somebody = RoomSeat(account=person(who, view))
    left = {other: seats[number] if seat == somebody else seat for other, seat in seats.items()}
    return left | {number: somebody}


def _swapped(rest: str, view: PrivateRoom) -> dict[int, RoomSeat]:
    seats = arranged(view)
    one, _, other = rest.partition(" ")
    first, second = _seat(one, seats), _seat(other.strip(), seats)
    return seats | {first: seats[second], second: seats[first]}


def _seat(text: str, seats: dict[int, RoomSeat]) -> int:
    if text.isdecimal() and int(text) in seats:
        return int(text)
    raise NotUnderstood(f"expected a seat from 1 to {len(seats)}, got {text!r}")


def _strength(text: str) -> Strength:
    if text in STRENGTHS:
        return Strength(text)
    raise NotUnderstood(f"expected {', '.join(STRENGTHS)}, got {text!r}")


def _options(rest: str) -> dict[str, Any]:
    """`party seats=4 pairs=yes` as a ruleset's options."""
    preset, *words = rest.split() or [""]
    options: dict[str, Any] = {"preset": preset}
    for word in words:
        said, equals, text = word.partition("=")
        name = said.replace("-", "_")
        if name not in OPTIONS:
            raise NotUnderstood(f"expected one of {', '.join(sorted(OPTIONS))}, got {said!r}")
        value = _value(text) if equals else True
        if name in TIMES and isinstance(value, int):
            name, value = TIMES[name][0], value * TIMES[name][1]
        options[name] = value
    try:
        Ruleset.from_json(options)
    except RulesetError as error:
        raise NotUnderstood(str(error)) from None
    return options


def _value(text: str) -> Any:
    known = {"yes": True, "true": True, "no": False, "false": False, "none": None}
    if text.lower() in known:
        return known[text.lower()]
    return int(text) if text.lstrip("-").isdecimal() else text
