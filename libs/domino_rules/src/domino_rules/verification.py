"""Checks the published log of a whole match: its seeds, its deals, and that every event follows by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domino_rules.events import MatchEnded, Passed, RoundDealt, RoundEnded, TilePlayed, TilesDrawn, UnknownEvent
from domino_rules.retrace import Departure, Retrace
from domino_rules.ruleset import Seat
from domino_rules.shuffle import SERVER_SEED, Seeds, ShuffleMismatch, commitment, verify
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    DelayMeasured,
    PauseStarted,
    PersonActed,
    PlayerReady,
    PlayerSeated,
    RoundCommitted,
    SeedRevealed,
    TableEvent,
    TableExpired,
    TableOpened,
    TurnStarted,
    TurnTimedOut,
    event_from_json,
)
from domino_rules.timekeeping import Logged, Timekeeper


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first event of a log that is wrong, by its index from 0: what of it, what was expected and what came.

    An index as large as the log is long says that something is missing at its end.
    """

    index: int
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"event {self.index}, {self.what}: expected {self.expected}, got {self.got}"


def verify_match(log: Sequence[Mapping[str, Any]], logged: Sequence[Logged] = ()) -> Wrong | None:
    """The first thing that is wrong with the log of a table that is over, JSON objects in order; none when nothing is.

    Every commitment comes before the seats' seeds, every deal follows from the seeds, every event of the game follows
    from those before it by the rules as this version knows them, every turn has the time that the ruleset gives it and
    the credit that its seat's delay is worth, what the autopilot did is what it does, and a table expired only when
    nothing else was due before. Events of foreign types are passed over; `round-committed` may lack its
    secret `server_seed`.

    `logged` says for each event when its command was logged, where that is known: then match clocks were charged
    exactly what passed, what timed out was due, and what did not was in time.
    """
    index = 0
    try:
        check = _Check(_revealed(log))
        for index, body in enumerate(log):
            check.take(body, logged[index] if logged else None)
        index = len(log)
        check.finish()
    except Departure as departure:
        return Wrong(index, departure.what, departure.expected, departure.got)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return Wrong(index, "event", "fields as its type has them", f"{type(error).__name__} in reading them")
    return None


def _revealed(log: Sequence[Mapping[str, Any]]) -> dict[int, bytes]:
    """The server seeds by round: a deal is judged when it comes, though its seed is revealed later."""
    revealed: dict[int, bytes] = {}
    for body in log:
        if body.get("type") == SeedRevealed.tag and SERVER_SEED.fullmatch(str(body.get("server_seed"))):
            revealed.setdefault(body["round"], bytes.fromhex(body["server_seed"]))
    return revealed


class _Check:
    """What the log has told so far."""

    def __init__(self, revealed: Mapping[int, bytes]) -> None:
        self.revealed = revealed
        self.table_id = ""
        self.game: Retrace | None = None
        self.commitments: dict[int, str] = {}
        self.client_seeds: list[str] = []
        self.dealt = 0
        self.hidden_round: int | None = None
        """The round that is dealt and whose seed is still to be revealed."""
        self.time: Timekeeper
        """There with the game."""
        self.expired = False

    def take(self, body: Mapping[str, Any], logged: Logged | None) -> None:
        """Checks the next event; raises `Departure`."""
        secret = {"server_seed": ""} if body.get("type") == RoundCommitted.tag else {}
        try:
            event = event_from_json({**secret, **body})
        except UnknownEvent:
            return
        if isinstance(event, TableOpened):
            self._open(event)
        elif self.game is None:
            raise Departure(event.tag, TableOpened.tag, event.tag)
        elif self.expired:
            raise Departure(event.tag, "no more events", event.tag)
        else:
            self.time.logged = logged
            self._take(self.game, event)

    def finish(self) -> None:
        """What must be there in the end; raises `Departure`."""
        if self.game is None:
            raise Departure("end", TableOpened.tag, "no events")
        self.game.finish()
        if self.expired:
            return
        if self.game.match.match_ended is None:
            raise Departure("end", MatchEnded.tag, "no more events")
        self._demand_seed()

    def _open(self, event: TableOpened) -> None:
        if self.game is not None:
            raise Departure(event.tag, "one opening", "another")
        self.table_id = event.table_id
        self.game, self.time = Retrace(event.ruleset), Timekeeper(event)
        self.client_seeds = [""] * event.ruleset.seats

    def _take(self, game: Retrace, event: TableEvent) -> None:
        match event:
            case RoundDealt():
                self._check_deal(game, event)
                game.take(event)
                self.dealt, self.hidden_round = event.round, event.round
                self.time.end()
            case TilePlayed() | TilesDrawn() | Passed() | RoundEnded() | MatchEnded():
                self._take_game_event(game, event)
            case RoundCommitted():
                self._commit(event)
            case SeedRevealed():
                self._reveal(game, event)
            case PlayerSeated() | PlayerReady():
                self._give_seed(event.seat, event.client_seed, event.tag)
            case (
                TurnStarted()
                | TurnTimedOut()
                | ClockStopped()
                | PauseStarted()
                | AutopilotStarted()
                | AutopilotStopped()
                | DelayMeasured()
                | PersonActed()
                | TableExpired()
            ):
                self.time.take(event, None if game.match.playing is None else game.match.playing.to_move)
                self.expired = isinstance(event, TableExpired)
            case _:
                pass

    def _take_game_event(
        self, game: Retrace, event: TilePlayed | TilesDrawn | Passed | RoundEnded | MatchEnded
    ) -> None:
        begun = game.take(event, timed_out=self.time.by_autopilot)
        if begun is not None and not isinstance(begun, RoundDealt):
            self.time.act(begun, event.tag)
        if not isinstance(event, TilesDrawn):
            self.time.end()

    def _commit(self, event: RoundCommitted) -> None:
        coming = self.dealt + 1
        if event.round != coming or coming in self.commitments:
            raise Departure(event.tag, f"one commitment for round {coming}", f"one for round {event.round}")
        if event.server_seed and commitment(bytes.fromhex(event.server_seed)) != event.commitment:
            hashed = commitment(bytes.fromhex(event.server_seed))
            raise Departure(f"{event.tag}, commitment", hashed, event.commitment)
        self.commitments[event.round] = event.commitment

    def _give_seed(self, seat: Seat, seed: str | None, tag: str) -> None:
        """Before the first deal and in pauses; who sits down late, during a round, gives one for the rounds to come."""
        game, coming = self.game, self.dealt + 1
        assert game is not None
        if seed is None:
            return
        if game.match.playing is None and coming not in self.commitments:
            raise Departure(tag, f"the commitment for round {coming} before the seats' seeds", "a seat's seed")
        self.client_seeds[seat - 1] = seed

    def _check_deal(self, game: Retrace, event: RoundDealt) -> None:
        self._demand_seed()
        coming = self.dealt + 1
        if coming not in self.commitments:
            raise Departure(event.tag, f"the commitment for round {coming} first", "its deal")
        if event.client_seeds != tuple(self.client_seeds):
            raise Departure(f"{event.tag}, client_seeds", str(self.client_seeds), str(list(event.client_seeds)))
        published, server_seed = self.commitments[coming], self.revealed.get(coming, b"")
        if commitment(server_seed) != published:
            return  # the revealed seed itself is wrong, and told when it comes
        seeds = Seeds(server_seed, self.table_id, coming, event.client_seeds)
        lot, hand_size = event.opener if game.match.lot_decides else None, game.match.ruleset.hand_size
        try:
            verify(seeds, published, event.hands, event.boneyard, hand_size=hand_size, lot=lot)
        except ShuffleMismatch as mismatch:
            raise Departure(f"{event.tag}, {mismatch.where}", mismatch.expected, mismatch.got) from None

    def _reveal(self, game: Retrace, event: SeedRevealed) -> None:
        if event.round != self.hidden_round or game.match.playing is not None:
            expected = "the round's end first" if event.round == self.hidden_round else f"round {self.hidden_round}"
            raise Departure(event.tag, expected, f"the seed of round {event.round}")
        hashed = commitment(bytes.fromhex(event.server_seed))
        if hashed != self.commitments[event.round]:
            raise Departure(f"{event.tag}, server_seed", f"SHA-256 {self.commitments[event.round]}", hashed)
        self.hidden_round = None

    def _demand_seed(self) -> None:
        if self.hidden_round is not None:
            raise Departure("server_seed", f"the seed of round {self.hidden_round} revealed", "nothing")
