import re
from collections import Counter

from contracts.room import CODE_LETTERS
from gateway.room_codes import RoomCodes, draw_code

CODE = re.compile(f"[{CODE_LETTERS}]{{6}}")


def test_a_code_has_six_letters_that_nobody_mistakes() -> None:
    codes = {draw_code() for _ in range(2000)}
    assert all(CODE.fullmatch(code) for code in codes)
    assert len(codes) > 1990
    assert Counter("".join(codes)).keys() == set(CODE_LETTERS)


def test_a_repeated_request_asks_for_the_same_room_at_every_gateway() -> None:
    one, other = RoomCodes(bytes(32)), RoomCodes(bytes(32))
    assert [one.of("ann", "a", attempt) for attempt in range(3)] == [other.of("ann", "a", n) for n in range(3)]


def test_another_person_request_attempt_or_key_draws_another_code() -> None:
    codes = RoomCodes(bytes(32))
    drawn = [codes.of("ann", "a", 0), codes.of("ann", "a", 1), codes.of("ann", "b", 0), codes.of("ben", "a", 0)]
    drawn.append(RoomCodes(bytes(31) + b"1").of("ann", "a", 0))
    assert len(set(drawn)) == 5
    assert all(CODE.fullmatch(code) for code in drawn)


def test_drawn_codes_are_spread_as_by_chance() -> None:
    codes = RoomCodes(bytes(32))
    counted = Counter("".join(codes.of("ann", f"{number}", 0) for number in range(4000)))
    assert counted.keys() == set(CODE_LETTERS)
    assert max(counted.values()) < 1.3 * min(counted.values())
