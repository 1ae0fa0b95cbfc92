"""What one seat may see when it is to move: all that a bot ever gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from domino_rules import Match, Ruleset, legal_actions
from domino_rules.actions import Action
from domino_rules.ends import PlayEnd
from domino_rules.notation import parse_action, parse_end, parse_tile
from domino_rules.ruleset import Seat
from domino_rules.tiles import Number, Tile


class LaidTile(NamedTuple):
    """One play of the round."""

    seat: Seat
    tile: Tile
    end: PlayEnd


class DrawnTiles(NamedTuple):
    """One draw of the round, as everybody at the table sees it."""

    seat: Seat
    taken: int
    """How many tiles."""
    numbers: tuple[Number, ...]
    """The numbers that were open."""
    plays: int
    """How many tiles lay there before."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A round in progress as its seat to move sees it. Make one with `of` or `from_json`."""

    ruleset: Ruleset
    seat: Seat
    hand: tuple[Tile, ...]
    tiles: tuple[int, ...]
    """How many tiles each seat holds, seat 1 first."""
    boneyard: int
    plays: tuple[LaidTile, ...]
    draws: tuple[DrawnTiles, ...]
    """Draws in order; may be empty though there were some: then the bots infer less."""
    opener: Seat
    scores: tuple[int, ...]
    round_number: int
    legal: tuple[Action, ...]

    @classmethod
    def from_json(cls, view: Mapping[str, Any]) -> Self:
        """The view of a table as its seat gets it (`domino_rules.table.view_for`).

        `draws`, a list of objects with `seat`, `count`, `ends` and `plays`, may be absent. Raises `ValueError` when the
        view is nobody's or not in its own turn.
        """
        seat = view["you"]
        if seat is None or view["to_move"] != seat:
            raise ValueError(f"expected the view of the seat to move, {view['to_move']}, got seat {seat}")
        return cls(
            Ruleset.from_json(view["ruleset"]),
            seat,
            tuple([parse_tile(name) for name in view["hand"]]),
            tuple([other["tiles"] for other in view["seats"]]),
            view["boneyard"],
            tuple(
                [LaidTile(lies["seat"], parse_tile(lies["tile"]), parse_end(lies["end"])) for lies in view["layout"]]
            ),
            tuple([_drawn(draw) for draw in view.get("draws", ())]),
            view["opener"],
            tuple(view["scores"]),
            view["round"],
            tuple([parse_action(f"{seat} {text}") for text in view["legal"]]),
        )

    @classmethod
    def of(cls, match: Match, seat: Seat) -> Self:
        """The view of a match that is played without a table. Raises `ValueError` when it is not the seat's turn."""
        current = match.playing
        if current is None or current.to_move != seat:
            raise ValueError(f"expected the seat to move, {current and current.to_move}, got seat {seat}")
        return cls(
            match.ruleset,
            seat,
            current.hands[seat - 1],
            tuple([len(hand) for hand in current.hands]),
            len(current.boneyard),
            tuple([LaidTile(play.seat, play.tile, play.end or "start") for play in current.layout.plays]),
            tuple([DrawnTiles(*draw) for draw in current.draws]),
            current.opener,
            match.scores,
            match.round_number,
            tuple(legal_actions(match)),
        )


def _drawn(draw: Mapping[str, Any]) -> DrawnTiles:
    return DrawnTiles(draw["seat"], draw["count"], tuple(draw["ends"]), draw["plays"])
