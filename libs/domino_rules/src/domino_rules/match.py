"""A match: `decide` judges what a seat wants, `evolve` trusts what was decided.

`decide` gives either the events of one action, with everything that follows by itself, or the first reason against
it in rule-book order. `deal` does the same for the next round. Folding the events with `evolve` gives the new state.
"""

from __future__ import annotations

from typing import Literal, assert_never

from domino_rules.actions import Action, Draw, Flag, Pass, PlayTile, Timeout
from domino_rules.autopilot import autopilot_action
from domino_rules.events import (
    GameEvent,
    MatchEnded,
    Passed,
    RoundDealt,
    RoundEnded,
    TilePlayed,
    TilesDrawn,
)
from domino_rules.judgement import refusal_of
from domino_rules.layout import EMPTY, Layout, Play, PlayEnd, ends_total, places_for, with_play
from domino_rules.legal import can_draw, can_play, tiles_to_draw
from domino_rules.opening import NextOpening, first_opening, opener_of_deal
from domino_rules.refusal import Refusal
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.scoring import (
    flag_end,
    match_end,
    play_points,
    round_end_blocked,
    round_end_out,
    with_points,
)
from domino_rules.state import Match, Round
from domino_rules.tiles import Hand, Tile


def new_match(ruleset: Ruleset) -> Match:
    """A match before its first deal."""
    coming = first_opening(ruleset)
    return Match(ruleset, (0,) * len(ruleset.sides), 0, None, coming.opener, coming.forced, None, None)


def decide(match: Match, action: Action) -> list[GameEvent] | Refusal:
    """The events of the action and of all that follows by itself, or the first reason against it."""
    refusal = refusal_of(match, action)
    if refusal is not None:
        return refusal
    draft = _Draft(match)
    match action:
        case PlayTile():
            draft.play(action.seat, action.tile, action.end)
        case Draw():
            draft.draw()
        case Pass():
            draft.pass_turn()
        case Timeout():
            draft.act_for(action.seat)
        case Flag():
            draft.record(flag_end(match, action.seat))
        case _:
            assert_never(action)
    draft.follow_forced()
    return draft.events


def deal(
    match: Match,
    hands: tuple[Hand, ...],
    boneyard: Hand,
    opener: Seat | None = None,
    client_seeds: tuple[str, ...] = (),
) -> list[GameEvent]:
    """The events of the next round's deal, a house opening and forced draws and passes included.

    `opener` opens with any tile instead of whom the rules choose; raises `OpenerNeeded` where a lot decides and it
    is absent. The match must wait for a deal.
    """
    coming = NextOpening(opener, False) if opener else NextOpening(match.next_opener, match.next_forced)
    seat, bound = opener_of_deal(coming, hands)
    draft = _Draft(match)
    draft.record(RoundDealt(match.round_number + 1, hands, boneyard, seat, bound, client_seeds))
    if match.ruleset.opening == "house" and bound is not None:
        draft.play(seat, bound, "start", by_house=True)
    draft.follow_forced()
    return draft.events


def forced_events(match: Match) -> list[GameEvent]:
    """The draws and passes that happen by themselves in this very state."""
    draft = _Draft(match)
    draft.follow_forced()
    return draft.events


class _Draft:
    """The events of one decision, and the match as they leave it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.events: list[GameEvent] = []

    def record(self, event: GameEvent) -> None:
        self.events.append(event)
        self.match = evolve(self.match, event)

    @property
    def current(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def play(self, seat: Seat, tile: Tile, end: PlayEnd | None, *, by_house: bool = False) -> None:
        ruleset, before = self.match.ruleset, self.current.layout
        end = end or places_for(before, tile)[0]
        after = with_play(before, Play(seat, tile, end), four_ends=ruleset.spinner)
        total = ends_total(after)
        points = play_points(ruleset, total)
        scores = with_points(ruleset, self.match.scores, seat, points)
        by: Literal["house"] | None = "house" if by_house else None
        self.record(TilePlayed(seat, tile, end, after.ends, total, points, scores, by))
        if self._end_match_if_due():
            return
        if not self.current.hands[seat - 1]:
            self.record(round_end_out(self.match, self.current, seat))
            self._end_match_if_due()

    def draw(self) -> None:
        current = self.current
        tiles = current.boneyard[: tiles_to_draw(self.match.ruleset, current)]
        self.record(TilesDrawn(current.to_move, tiles))

    def pass_turn(self) -> None:
        self.record(Passed(self.current.to_move))
        if self.current.passes_in_a_row == self.match.ruleset.seats:
            self.record(round_end_blocked(self.match, self.current))
            self._end_match_if_due()

    def act_for(self, seat: Seat) -> None:
        """One whole turn by the autopilot: draws as needed, then the play or pass."""
        action = autopilot_action(self.match)
        if isinstance(action, Draw):
            self.draw()
            action = autopilot_action(self.match)
        if isinstance(action, PlayTile):
            self.play(seat, action.tile, action.end)
        else:
            self.pass_turn()

    def follow_forced(self) -> None:
        if self.match.ruleset.forced != "auto":
            return
        while self.match.playing is not None and not can_play(self.current):
            if can_draw(self.match.ruleset, self.current):
                self.draw()
            else:
                self.pass_turn()

    def _end_match_if_due(self) -> bool:
        ended = match_end(self.match)
        if ended is not None:
            self.record(ended)
        return ended is not None


def evolve(match: Match, event: GameEvent) -> Match:
    """The match after the event. Judges nothing: scores, ends and openers are the event's own."""
    match event:
        case TilePlayed():
            return _evolve_played(match, event)
        case Passed():
            return _evolve_passed(match, event)
        case TilesDrawn():
            return _evolve_drawn(match, event)
        case RoundDealt():
            current = Round(event.hands, event.boneyard, EMPTY, event.opener, event.opener, event.forced_tile, 0, ())
            return Match(match.ruleset, match.scores, event.round, current, None, False, None, None)
        case RoundEnded():
            return Match(
                match.ruleset,
                event.scores,
                match.round_number,
                match.round,
                event.next_opener,
                event.next_forced,
                event,
                None,
            )
        case MatchEnded():
            return Match(
                match.ruleset, event.scores, match.round_number, match.round, None, False, match.round_ended, event
            )
        case _:
            assert_never(event)


def _evolve_played(match: Match, event: TilePlayed) -> Match:
    before, seat = match.round, event.seat
    assert before is not None
    hand = before.hands[seat - 1]
    at = hand.index(event.tile)
    played = Round(
        _with_hand(before.hands, seat, hand[:at] + hand[at + 1 :]),
        before.boneyard,
        Layout((*before.layout.plays, Play(seat, event.tile, event.end)), event.ends),
        match.ruleset.next_seat(seat),
        before.opener,
        None,
        0,
        before.passes,
    )
    return Match(match.ruleset, event.scores, match.round_number, played, None, False, None, None)


def _evolve_drawn(match: Match, event: TilesDrawn) -> Match:
    before, seat = match.round, event.seat
    assert before is not None
    drawn = Round(
        _with_hand(before.hands, seat, before.hands[seat - 1] + event.tiles),
        before.boneyard[len(event.tiles) :],
        before.layout,
        before.to_move,
        before.opener,
        before.forced_tile,
        before.passes_in_a_row,
        before.passes,
    )
    return Match(match.ruleset, match.scores, match.round_number, drawn, None, False, None, None)


def _evolve_passed(match: Match, event: Passed) -> Match:
    before, seat = match.round, event.seat
    assert before is not None
    passed = Round(
        before.hands,
        before.boneyard,
        before.layout,
        match.ruleset.next_seat(seat),
        before.opener,
        before.forced_tile,
        before.passes_in_a_row + 1,
        (*before.passes, (seat, tuple(before.layout.ends.values()))),
    )
    return Match(match.ruleset, match.scores, match.round_number, passed, None, False, None, None)


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[: seat - 1], hand, *hands[seat:])
