"""What a seat sees of its table, as values: the shape that `domino_rules.table.view_for` gives, typed."""

from typing import Any, Literal

from pydantic import Field

from contracts.api import View
from contracts.message import Message
from contracts.room import PRIVATE, code_of
from domino_rules import Ruleset
from domino_rules.table import HOST

Event = dict[str, Any]


class SeatView(Message):
    """One seat; `tiles` is how many it holds, `strength` how a house bot plays it."""

    seat: int
    account: str
    bot: bool = False
    strength: str | None = None
    seated: bool = False
    autopilot: bool = False
    left: bool = False
    ready: bool = False
    tiles: int = 0


class PlacedTile(Message):
    """`end`: the end at which it was placed, `left`, `right`, `up` or `down`; `start` for the first."""

    seat: int
    tile: str
    end: str


class PassView(Message):
    """`ends`: the numbers that were open when the seat passed."""

    seat: int
    ends: tuple[int, ...]


class DrawView(Message):
    """`count` tiles were drawn while the numbers `ends` were open and `plays` tiles lay."""

    seat: int
    count: int
    ends: tuple[int, ...]
    plays: int


class DeadlineView(Message):
    """Milliseconds of the log. `given_back_ms` is by how much outages have put `due_at` off; `credit_ms` is in it too:
    time that the turn was given for its seat's measured delay."""

    kind: str
    set_at: int
    due_at: int
    given_back_ms: int = 0
    credit_ms: int = 0


class RoundResult(Message):
    """How a round ended, with every hand as it stood then; `hands` and `pips` by seat, `scores` by side."""

    round: int = 0
    reason: str
    winner: int | None
    points: int
    pips: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...] = ()


class MatchResult(Message):
    """`winner`: the winning seats; none when the match is drawn."""

    reason: str
    winner: tuple[int, ...]
    scores: tuple[int, ...]


class TableView(Message):
    """The table after `version`, and the events since `from_version` (0: not known what happened before).

    `you` is the seat of this account, none for a spectator. `legal` holds the actions of the own turn as texts such as
    `6-3@left`, `draw` or `pass`; `acted` is true once this client's action for `turn` was accepted. `names` are those
    of accounts, as far as this client knows them. `scores` are by side: by seat, or in pairs that of seats 1 and 3
    first. `clocks`: what each seat's match clock showed when it last stood still, in ms; who is to move has until
    `deadline.due_at`.
    """

    table_id: str
    version: int
    from_version: int = 0
    at: int
    events: tuple[Event, ...] = ()
    acted: bool = False
    missed: bool = False
    names: dict[str, str] = Field(default_factory=dict)

    status: Literal["waiting", "playing", "pausing", "finished", "expired"]
    ruleset: dict[str, Any]
    rules_version: str = ""
    region: str = ""
    you: int | None = None
    seats: tuple[SeatView, ...] = ()
    round: int = 0
    turn: int = 0
    to_move: int | None = None
    layout: tuple[PlacedTile, ...] = ()
    ends: dict[str, int] = Field(default_factory=dict)
    boneyard: int = 0
    hand: tuple[str, ...] | None = None
    legal: tuple[str, ...] = ()
    opener: int | None = None
    forced_tile: str | None = None
    scores: tuple[int, ...] = ()
    passes: tuple[PassView, ...] = ()
    draws: tuple[DrawView, ...] = ()
    deadline: DeadlineView | None = None
    clocks: tuple[int, ...] | None = None
    commitment: str | None = None
    last_round: RoundResult | None = None
    result: MatchResult | None = None

    @property
    def my_turn(self) -> bool:
        """Whether an action of this seat is waited for, and none has been accepted yet."""
        return self.you is not None and self.you == self.to_move and bool(self.legal) and not self.acted

    @property
    def put_off(self) -> bool:
        """Whether nothing has happened but that the deadline falls due later."""
        return self.version == self.from_version

    @property
    def deadline_ms(self) -> int:
        """When the standing deadline falls due, 0 without one."""
        return 0 if self.deadline is None else self.deadline.due_at

    @property
    def rules(self) -> Ruleset:
        """The options of this match. Raises `RulesetError` for those of a newer server."""
        return Ruleset.from_json(self.ruleset)

    @property
    def partner(self) -> int | None:
        """The seat that scores together with the own one, in pairs."""
        if self.you is None:
            return None
        side = self.rules.sides[self.rules.side_of(self.you)]
        return next((seat for seat in side if seat != self.you), None)

    @property
    def ended_round(self) -> RoundResult | None:
        """How the round ended that is shown; none while it is played, and when the match ended in its middle."""
        last = self.last_round
        return last if last is not None and last.round == self.round else None

    @property
    def host(self) -> int | None:
        """The seat that alone ends the pause before its time; none where everybody there has to agree, as at the table
        of a private room, whose host may do so besides."""
        if self.region == PRIVATE or code_of(self.region) is not None:
            return None
        there = any(seat.seat == HOST and seat.seated and not (seat.bot or seat.left) for seat in self.seats)
        return HOST if there and self.rules.next_round == "host" else None

    @property
    def over(self) -> bool:
        """Whether no version follows."""
        return self.status in ("finished", "expired")

    @property
    def my_seat(self) -> SeatView | None:
        """The own seat; none for a spectator."""
        return next((seat for seat in self.seats if seat.seat == self.you), None)


def typed(message: View) -> TableView:
    """The view of a message. Raises pydantic's ValidationError when the server speaks of something unknown."""
    return TableView.model_validate(
        message.view
        | {
            "table_id": message.table_id,
            "version": message.version,
            "from_version": message.from_version,
            "at": message.at,
            "events": message.events,
        }
    )
