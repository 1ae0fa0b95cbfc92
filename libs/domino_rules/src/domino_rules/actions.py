"""What a seat can do in its turn, and the two ways in which its time can run out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from domino_rules.layout import PlayEnd
from domino_rules.ruleset import Seat
from domino_rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class PlayTile:
    """Place a tile; the end may be left out when only one is legal."""

    seat: Seat
    tile: Tile
    end: PlayEnd | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take tiles until one fits or none may be taken."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """Say that nothing can be played and nothing drawn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Timeout:
    """The turn timer ran out: the autopilot acts for this turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Flag:
    """The seat's match clock ran out: the match is lost."""

    seat: Seat


Action: TypeAlias = PlayTile | Draw | Pass | Timeout | Flag
