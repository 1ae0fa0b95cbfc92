"""What happened in a match, and its JSON.

Every event is a value with a `tag`; its `to_json` and this module's `from_json` are the one way to its JSON object and
back. Tiles are written as in `notation`; scores are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, Protocol, Self, TypeAlias, cast

from domino_rules.ends import Ends, PlayEnd, ends_from_json, ends_to_json
from domino_rules.notation import hand_text, parse_end, parse_hand, parse_tile, tile_name
from domino_rules.ruleset import Seat
from domino_rules.tiles import Hand, Tile
from domino_rules.value import Value

Json: TypeAlias = dict[str, Any]
Scores: TypeAlias = tuple[int, ...]
"""One entry per side, for pairs seats 1+3 first."""


class UnknownEvent(ValueError):
    """An event type that this version does not know; readers skip and count it."""

    def __init__(self, tag: object) -> None:
        super().__init__(f"expected the type of an event, got {tag!r}")
        self.tag = tag


class MalformedEvent(ValueError):
    """An event of a known type whose fields cannot be read."""


class Event(Protocol):
    """What every event can do."""

    tag: ClassVar[str]

    def to_json(self) -> Json:
        """The event as a JSON object with its `type` first."""

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """The event of such an object."""


_registry: Final[dict[str, type[Event]]] = {}


def register(*events: type[Event]) -> None:
    """Make event classes known to `from_json` under their tags."""
    for event in events:
        _registry[event.tag] = event


def from_json(body: Mapping[str, Any]) -> Event:
    """The event of a JSON object. Raises `UnknownEvent` for a foreign type, `MalformedEvent` for unreadable fields."""
    tag = body.get("type")
    known = _registry.get(tag) if isinstance(tag, str) else None
    if known is None:
        raise UnknownEvent(tag)
    try:
        return known.from_json(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MalformedEvent(f"{tag}: {type(error).__name__} in its fields") from None


class RoundDealt(Value):
    """A deal: hands by seat, the boneyard (or tiles aside) from its front, who opens and with which tile if bound."""

    __slots__ = ("boneyard", "client_seeds", "forced_tile", "hands", "opener", "round")
    __match_args__ = ("round", "hands", "boneyard", "opener", "forced_tile", "client_seeds")
    tag: ClassVar[str] = "round-dealt"

    def __init__(
        self,
        round: int,
        hands: tuple[Hand, ...],
        boneyard: Hand,
        opener: Seat,
        forced_tile: Tile | None,
        client_seeds: tuple[str, ...] = (),
    ) -> None:
        self.round: Final = round
        self.hands: Final = hands
        self.boneyard: Final = boneyard
        self.opener: Final = opener
        self.forced_tile: Final = forced_tile
        self.client_seeds: Final = client_seeds

    def to_json(self) -> Json:
        return {
            "type": self.tag,
            "round": self.round,
            "hands": [hand_text(hand) for hand in self.hands],
            "boneyard": hand_text(self.boneyard),
            "client_seeds": list(self.client_seeds),
            "opener": self.opener,
            "forced_tile": None if self.forced_tile is None else tile_name(self.forced_tile),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        forced = body["forced_tile"]
        return cls(
            body["round"],
            tuple([parse_hand(hand) for hand in body["hands"]]),
            parse_hand(body["boneyard"]),
            body["opener"],
            None if forced is None else parse_tile(forced),
            tuple(body["client_seeds"]),
        )


class TilePlayed(Value):
    """A tile was placed; `ends` and `scores` are those after it, `points` what it gained."""

    __slots__ = ("by", "end", "ends", "ends_total", "points", "scores", "seat", "tile")
    __match_args__ = ("seat", "tile", "end", "ends", "ends_total", "points", "scores", "by")
    tag: ClassVar[str] = "tile-played"

    def __init__(
        self,
        seat: Seat,
        tile: Tile,
        end: PlayEnd,
        ends: Ends,
        ends_total: int,
        points: int,
        scores: Scores,
        by: Literal["house"] | None = None,
    ) -> None:
        self.seat: Final = seat
        self.tile: Final = tile
        self.end: Final = end
        self.ends: Final = ends
        self.ends_total: Final = ends_total
        self.points: Final = points
        self.scores: Final = scores
        self.by: Final = by

    def to_json(self) -> Json:
        body: Json = {
            "type": self.tag,
            "seat": self.seat,
            "tile": tile_name(self.tile),
            "end": self.end,
            "ends": ends_to_json(self.ends),
            "ends_total": self.ends_total,
            "points": self.points,
            "scores": list(self.scores),
        }
        if self.by is not None:
            body["by"] = self.by
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(
            body["seat"],
            parse_tile(body["tile"]),
            parse_end(body["end"]),
            ends_from_json(body["ends"]),
            body["ends_total"],
            body["points"],
            tuple(body["scores"]),
            body.get("by"),
        )


class TilesDrawn(Value):
    """All tiles of one draw, in drawing order."""

    __slots__ = ("seat", "tiles")
    __match_args__ = ("seat", "tiles")
    tag: ClassVar[str] = "tiles-drawn"

    def __init__(self, seat: Seat, tiles: Hand) -> None:
        self.seat: Final = seat
        self.tiles: Final = tiles

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "tiles": hand_text(self.tiles)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], parse_hand(body["tiles"]))


class Passed(Value):
    """The seat could neither play nor draw."""

    __slots__ = ("seat",)
    __match_args__ = ("seat",)
    tag: ClassVar[str] = "passed"

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"])


class RoundEnded(Value):
    """A round's end: pips left by seat, the winner's points, the scores after them and how the next round opens."""

    __slots__ = ("next_forced", "next_opener", "pips", "points", "reason", "scores", "winner")
    __match_args__ = ("reason", "pips", "winner", "points", "scores", "next_opener", "next_forced")
    tag: ClassVar[str] = "round-ended"

    def __init__(
        self,
        reason: Literal["out", "blocked"],
        pips: tuple[int, ...],
        winner: Seat | None,
        points: int,
        scores: Scores,
        next_opener: Seat | None,
        next_forced: bool,
    ) -> None:
        self.reason: Final = reason
        self.pips: Final = pips
        self.winner: Final = winner
        self.points: Final = points
        self.scores: Final = scores
        self.next_opener: Final = next_opener
        self.next_forced: Final = next_forced

    def to_json(self) -> Json:
        return {
            "type": self.tag,
            "reason": self.reason,
            "pips": list(self.pips),
            "winner": self.winner,
            "points": self.points,
            "scores": list(self.scores),
            "next_opener": self.next_opener,
            "next_forced": self.next_forced,
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(
            body["reason"],
            tuple(body["pips"]),
            body["winner"],
            body["points"],
            tuple(body["scores"]),
            body["next_opener"],
            body["next_forced"],
        )


class MatchEnded(Value):
    """The match's end: the winning seats ascending (none when drawn) and the final scores."""

    __slots__ = ("reason", "scores", "winner")
    __match_args__ = ("reason", "winner", "scores")
    tag: ClassVar[str] = "match-ended"

    def __init__(
        self, reason: Literal["target", "round-cap", "clock", "resigned"], winner: tuple[Seat, ...], scores: Scores
    ) -> None:
        self.reason: Final = reason
        self.winner: Final = winner
        self.scores: Final = scores

    def to_json(self) -> Json:
        return {
            "type": self.tag,
            "reason": self.reason,
            "winner": list(self.winner),
            "scores": list(self.scores),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["reason"], tuple(body["winner"]), tuple(body["scores"]))


register(RoundDealt, TilePlayed, TilesDrawn, Passed, RoundEnded, MatchEnded)
GameEvent: TypeAlias = RoundDealt | TilePlayed | TilesDrawn | Passed | RoundEnded | MatchEnded


def game_event(body: Mapping[str, Any]) -> GameEvent:
    """`from_json` for a log that holds nothing but the game's own events."""
    return cast(GameEvent, from_json(body))
