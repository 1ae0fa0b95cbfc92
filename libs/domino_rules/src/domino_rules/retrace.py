"""Recorded events of a game, each decided again: which action stands behind them, and whether they follow from it."""

from __future__ import annotations

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.events import GameEvent, Json, MatchEnded, Passed, RoundDealt, TilePlayed, TilesDrawn
from domino_rules.match import deal, decide, evolve, new_match
from domino_rules.notation import hand_text, tile_name
from domino_rules.refusal import Refusal
from domino_rules.ruleset import Ruleset
from domino_rules.state import Match
from domino_rules.tiles import TILES, Hand, Tile


class Departure(ValueError):
    """The first recorded event that does not follow; `what` is its type, maybe with the field that is wrong."""

    def __init__(self, what: str, expected: str, got: str) -> None:
        super().__init__(f"{what}: expected {expected}, got {got}")
        self.what, self.expected, self.got = what, expected, got


class Retrace:
    """Takes the events of a match in order; `match` is the state after those taken."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.match = new_match(ruleset)
        self._following: list[GameEvent] = []
        """What must still come of the last decision."""

    def take(self, event: GameEvent, *, timed_out: bool = False) -> Action | RoundDealt | None:
        """Checks the next event and gives the action or deal that it begins, none for what follows by itself.

        `timed_out` says that the turn timer ran out before it. Raises `Departure`.
        """
        begins: Action | RoundDealt | None = None
        if not self._following and isinstance(event, MatchEnded) and event.reason == "resigned":
            self._following = self._resigned(event)
        elif not self._following:
            begins = self._begun_by(event, timed_out)
            self._following = self._decided(begins, event)
        _compare(self._following.pop(0), event)
        self.match = evolve(self.match, event)
        return begins

    def finish(self) -> None:
        """Raises `Departure` when something must still follow by itself."""
        if self._following:
            raise Departure("end", _text(self._following[0].to_json()), "no more events")

    def _begun_by(self, event: GameEvent, timed_out: bool) -> Action | RoundDealt:
        if isinstance(event, RoundDealt):
            return event
        current = self.match.playing
        if timed_out and current is not None and self.match.ruleset.turn_ms is not None:
            return Timeout(current.to_move)
        match event:
            case TilePlayed():
                return PlayTile(event.seat, event.tile, event.end)
            case TilesDrawn():
                return Draw(event.seat)
            case Passed():
                return Pass(event.seat)
            case MatchEnded(reason="clock") if current is not None:
                return Flag(current.to_move)
            case _:
                raise Departure(event.tag, self._awaited(), _text(event.to_json()))

    def _decided(self, begun: Action | RoundDealt, event: GameEvent) -> list[GameEvent]:
        if not isinstance(begun, RoundDealt):
            decided = decide(self.match, begun)
            if isinstance(decided, Refusal):
                raise Departure(f"{event.tag}, {decided.reason}", decided.expected, decided.got)
            return decided
        if self.match.status != "round-ended":
            raise Departure(begun.tag, self._awaited(), f"the deal of round {begun.round}")
        check_set(self.match.ruleset, begun.hands, begun.boneyard)
        lot = begun.opener if self.match.lot_decides else None
        return deal(self.match, begun.hands, begun.boneyard, lot, begun.client_seeds)

    def _resigned(self, event: MatchEnded) -> list[GameEvent]:
        """Whoever resigned: it needs no turn, nor a round in play, and the other seat of two has won."""
        if not may_resign(self.match) or event.winner not in ((1,), (2,)):
            raise Departure(event.tag, self._awaited(), f"resigned, won by {event.winner}")
        return [MatchEnded("resigned", event.winner, self.match.scores)]

    def _awaited(self) -> str:
        current = self.match.playing
        if current is not None:
            return f"an action of seat {current.to_move}"
        return "no more events" if self.match.match_ended else f"the deal of round {self.match.round_number + 1}"


def may_resign(match: Match) -> bool:
    """Whether either seat may give the match up: one of two seats, from the first deal on until it is over."""
    return match.ruleset.seats == 2 and match.round_number > 0 and match.match_ended is None


def check_set(ruleset: Ruleset, hands: tuple[Hand, ...], boneyard: Hand) -> None:
    """Raises `Departure` unless the deal is one of all 28 tiles, with a hand for each seat."""
    if len(hands) != ruleset.seats:
        raise Departure(f"{RoundDealt.tag}, hands", f"{ruleset.seats} hands", str(len(hands)))
    seen: set[Tile] = set()
    for tile in (*(tile for hand in hands for tile in hand), *boneyard):
        if tile in seen:
            raise Departure(RoundDealt.tag, "every tile once", f"{tile_name(tile)} twice")
        seen.add(tile)
    if missing := set(TILES) - seen:
        raise Departure(RoundDealt.tag, "all 28 tiles", f"none of {hand_text(sorted(missing))}")
    if not all(hands):
        raise Departure(f"{RoundDealt.tag}, hands", "at least one tile in each", "an empty hand")


def _compare(expected: GameEvent, got: GameEvent) -> None:
    if expected == got:
        return
    wanted, came = expected.to_json(), got.to_json()
    if wanted["type"] != came["type"]:
        raise Departure(got.tag, _text(wanted), _text(came))
    for field, value in wanted.items():
        if came.get(field) != value:
            raise Departure(f"{got.tag}, {field}", repr(value), repr(came.get(field)))
    raise Departure(f"{got.tag}, by", "nothing", repr(came.get("by")))


def _text(body: Json) -> str:
    return " ".join(str(value) for field, value in body.items() if field in ("type", "seat", "tile", "end", "tiles"))
