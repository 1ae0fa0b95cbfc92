"""What happened in a match, and its JSON.

Every event is a frozen value with a `tag`; its `to_json` and this module's `from_json` are the one way to its JSON
object and back.
Tiles are written as in `notation`; times and scores are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Protocol, Self, TypeAlias, TypeVar, cast

from domino_rules.layout import END_NAMES, Ends, PlayEnd
from domino_rules.notation import hand_text, parse_end, parse_hand, parse_tile, tile_name
from domino_rules.ruleset import Seat
from domino_rules.tiles import Hand, Tile

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
_E = TypeVar("_E", bound=type[Event])


def register(event: _E) -> _E:
    """Make an event class known to `from_json` under its tag."""
    _registry[event.tag] = event
    return event


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


def ends_from_json(body: Mapping[str, Any]) -> Ends:
    """The ends of a JSON object, in their fixed order."""
    return {end: body[end] for end in END_NAMES if end in body}


@register
@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A deal: hands by seat, the boneyard (or tiles aside) from its front, who opens and with which tile if bound."""

    tag: ClassVar[str] = "round-dealt"
    round: int
    hands: tuple[Hand, ...]
    boneyard: Hand
    opener: Seat
    forced_tile: Tile | None
    client_seeds: tuple[str, ...] = ()

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


@register
@dataclass(frozen=True, slots=True)
class TilePlayed:
    """A tile was placed; `ends` and `scores` are those after it, `points` what it gained."""

    tag: ClassVar[str] = "tile-played"
    seat: Seat
    tile: Tile
    end: PlayEnd
    ends: Ends
    ends_total: int
    points: int
    scores: Scores
    by: Literal["house"] | None = None

    def to_json(self) -> Json:
        body: Json = {
            "type": self.tag,
            "seat": self.seat,
            "tile": tile_name(self.tile),
            "end": self.end,
            "ends": dict(self.ends),
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


@register
@dataclass(frozen=True, slots=True)
class TilesDrawn:
    """All tiles of one draw, in drawing order."""

    tag: ClassVar[str] = "tiles-drawn"
    seat: Seat
    tiles: Hand

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat, "tiles": hand_text(self.tiles)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"], parse_hand(body["tiles"]))


@register
@dataclass(frozen=True, slots=True)
class Passed:
    """The seat could neither play nor draw."""

    tag: ClassVar[str] = "passed"
    seat: Seat

    def to_json(self) -> Json:
        return {"type": self.tag, "seat": self.seat}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        return cls(body["seat"])


@register
@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round's end: pips left by seat, the winner's points, the scores after them and how the next round opens."""

    tag: ClassVar[str] = "round-ended"
    reason: Literal["out", "blocked"]
    pips: tuple[int, ...]
    winner: Seat | None
    points: int
    scores: Scores
    next_opener: Seat | None
    next_forced: bool

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


@register
@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match's end: the winning seats ascending (none when drawn) and the final scores."""

    tag: ClassVar[str] = "match-ended"
    reason: Literal["target", "round-cap", "clock", "resigned"]
    winner: tuple[Seat, ...]
    scores: Scores

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


GameEvent: TypeAlias = RoundDealt | TilePlayed | TilesDrawn | Passed | RoundEnded | MatchEnded


def game_event(body: Mapping[str, Any]) -> GameEvent:
    """`from_json` for a log that holds nothing but the game's own events."""
    return cast(GameEvent, from_json(body))
