"""Which pool the options of a command mean."""

import pytest
import typer

from capicua.commands.game import Preset, pool_of
from capicua.terminal.table_list import pool_words
from domino_rules.ruleset import PRESETS


def test_every_preset_can_be_played() -> None:
    assert [preset.value for preset in Preset] == list(PRESETS)
    for preset in Preset:
        assert pool_of(preset, None, 100, False, False, False).seats == 2


@pytest.mark.parametrize(
    ("preset", "seats", "target", "options", "words"),
    [
        (Preset.DRAW, 3, 50, (False, False, False), "draw with 3 seats to 50"),
        (Preset.DUEL_DRAW, None, 500, (False, False, False), "duel-draw with 2 seats to 500"),
        (Preset.ALL_FIVES, None, 100, (False, True, False), "all-fives with 2 seats to 100, spinner"),
        (Preset.PARTY, None, 150, (True, False, False), "party with 4 seats to 150, pairs"),
        (Preset.PARTY, 3, 200, (False, False, True), "party with 3 seats to 200, drawing"),
    ],
)
def test_options_are_a_pool(
    preset: Preset, seats: int | None, target: int, options: tuple[bool, bool, bool], words: str
) -> None:
    assert pool_words(pool_of(preset, seats, target, *options)) == words


def test_a_time_is_an_option_too() -> None:
    party = pool_of(Preset.PARTY, None, 100, False, False, False, turn_seconds=30)
    assert pool_words(party) == "party with 2 seats to 100, 30 s a turn"
    duel = pool_of(Preset.DUEL_DRAW, None, 100, False, False, False, clock_minutes=5)
    assert pool_words(duel) == "duel-draw with 2 seats to 100, 5 min a seat"


@pytest.mark.parametrize(
    ("preset", "times", "hint", "words"),
    [
        (Preset.PARTY, {"turn_seconds": 20}, "--turn-seconds", "party: expected 15 or 30 or 60, got 20"),
        (Preset.DRAW, {"turn_seconds": 30}, "--turn-seconds", "draw: expected 20, got 30"),
        (Preset.DUEL_DRAW, {"turn_seconds": 30}, "--turn-seconds", "duel-draw: expected none, it has no such time"),
        (Preset.ALL_FIVES, {"clock_minutes": 4}, "--clock-minutes", "expected 3 or 5 or 10 or 15 or 20, got 4"),
        (Preset.DRAW, {"clock_minutes": 5}, "--clock-minutes", "draw: expected none, it has no such time"),
    ],
)
def test_a_time_that_public_play_does_not_take_names_its_option_in_its_own_unit(
    preset: Preset, times: dict[str, int], hint: str, words: str
) -> None:
    with pytest.raises(typer.BadParameter, match=words) as wrong:
        pool_of(preset, None, 100, False, False, False, **times)
    assert wrong.value.param_hint == hint


@pytest.mark.parametrize(
    ("preset", "seats", "target", "options", "hint"),
    [
        (Preset.DRAW, None, 60, (False, False, False), "--target"),
        (Preset.ALL_FIVES, 3, 100, (False, False, False), "--seats"),
        (Preset.PARTY, 3, 100, (True, False, False), "--pairs"),
        (Preset.BLOCK, 4, 100, (True, False, False), "--pairs"),
        (Preset.DUEL_DRAW, None, 100, (False, True, False), "--spinner"),
        (Preset.BLOCK, None, 100, (False, False, True), "--drawing"),
        (Preset.DRAW, None, 100, (False, False, True), "--drawing"),
        (Preset.DUEL_DRAW, None, 100, (False, False, True), "--drawing"),
        (Preset.ALL_FIVES, None, 100, (False, False, True), "--drawing"),
    ],
)
def test_what_public_play_does_not_take_names_its_option(
    preset: Preset, seats: int | None, target: int, options: tuple[bool, bool, bool], hint: str
) -> None:
    with pytest.raises(typer.BadParameter) as wrong:
        pool_of(preset, seats, target, *options)
    assert wrong.value.param_hint == hint
