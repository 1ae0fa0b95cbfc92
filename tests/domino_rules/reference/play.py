"""Plays a scenario by chance with the plain implementation and writes down the actions."""

import random
from typing import Any

from . import runner
from .layout import where_it_fits
from .match import Match, tile_text
from .reading import ALL_TILES
from .rules import Malformed

END_LETTERS = {"left": "L", "right": "R", "up": "U", "down": "D"}
ENDS = ["left", "right", "up", "down", "start", "L", "R", "U", "D"]
NONSENSE = [
    "",
    "5-5",
    "1",
    "1 5-6",
    "1 7-1",
    "0 6-6",
    "5 6-6",
    "1 6-6@middle",
    "1 knock",
    "x draw",
    "1 6-6 left",
    "1-1",
]


def play_by_chance(chance: random.Random, scenario: dict[str, Any]) -> list[str]:
    """Legal actions up to some number or the end; sometimes one more that is most likely out of place."""
    actions: list[str] = []
    try:
        match, _ = runner.start(scenario)
        length = chance.choice([0, 1, 2, 4, 8, 200, 200, 200])
        while match.status == "playing" and len(actions) < length:
            actions.append(legal_action(chance, match))
            runner.act(match, actions[-1])
    except Malformed:
        return actions
    unsaid = match.status == "playing" and match.legal() in (["draw"], ["pass"])
    if chance.random() < (0.8 if unsaid else 0.45):
        actions += [misplaced_action(chance, match) for _ in range(chance.choice([1, 1, 2]))]
    return actions


def legal_action(chance: random.Random, match: Match, flags: float = 0.01) -> str:
    if match.rules.has_match_clock and chance.random() < flags:
        return f"{match.to_move} flag"
    if not match.rules.has_match_clock and chance.random() < 0.1:
        return f"{match.to_move} timeout"
    what = chance.choice(match.legal())
    if "@" in what and chance.random() < 0.5:
        tile, end = what.split("@")
        alone = sum(other.startswith(tile) for other in match.legal()) == 1
        what = tile if alone else f"{tile}@{END_LETTERS[end]}"
    return f"{match.to_move} {what}"


def misplaced_action(chance: random.Random, match: Match) -> str:
    """Anything; by preference something that only just is not allowed."""
    mover = match.to_move or 1
    if chance.random() < 0.2:
        return chance.choice([*NONSENSE, misspelt(chance, f"{mover} {chance.choice(match.legal() or ['6-5@left'])}")])
    if match.legal() in (["draw"], ["pass"]) and chance.random() < 0.7:
        return f"{mover} {'pass' if match.legal() == ['draw'] else 'draw'}"
    seat = chance.choice([mover, mover, mover, mover, *match.seats])
    if chance.random() < 0.3:
        return f"{seat} {chance.choice(['draw', 'pass', 'draw', 'pass', 'timeout', 'flag'])}"
    held = match.hands[mover - 1] or ALL_TILES
    several = [tile for tile in held if len(where_it_fits(tile, match.plays, match.rules.four_ends)) > 1]
    tile = chance.choice(chance.choice([held, held, several or held, ALL_TILES]))
    end = chance.choice(["", f"@{chance.choice(ENDS)}"])
    return f"{seat} {tile_text(tile)}{end}"


def misspelt(chance: random.Random, text: str) -> str:
    """The text with one character taken out or changed."""
    place = chance.randrange(len(text))
    put_there: str = chance.choice(["", *"0123456789-@ LRleft"])
    return text[:place] + put_there + text[place + 1 :]
