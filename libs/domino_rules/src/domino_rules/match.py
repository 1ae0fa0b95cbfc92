"""A match: `decide` judges what a seat wants, `evolve` trusts what was decided.

`decide` gives either the events of one action, with everything that follows by itself, or the first reason against
it in rule-book order. `deal` does the same for the next round. Folding the events with `evolve` gives the new state.
"""

from __future__ import annotations

from typing import Literal, assert_never

from domino_rules.actions import PLAYS, Action, Draw, Flag, Pass, PlayTile, Timeout, play_of
from domino_rules.autopilot import autopilot_action
from domino_rules.ends import END_INDEX
from domino_rules.events import (
    GameEvent,
    MatchEnded,
    Passed,
    RoundDealt,
    RoundEnded,
    Scores,
    TilePlayed,
    TilesDrawn,
)
from domino_rules.judgement import refusal_of
from domino_rules.layout import EMPTY, Layout, ends_after, ends_total, places_for
from domino_rules.legal import can_draw, tiles_to_draw
from domino_rules.opening import NextOpening, first_opening, opener_of_deal
from domino_rules.refusal import Refusal
from domino_rules.ruleset import Ruleset, Seat
from domino_rules.scoring import (
    flag_end,
    match_end_after_round,
    match_end_at_target,
    round_end_blocked,
    round_end_out,
    with_points,
)
from domino_rules.state import Match, Round, position
from domino_rules.tiles import Hand, fitting, set_of


def new_match(ruleset: Ruleset) -> Match:
    """A match before its first deal."""
    coming = first_opening(ruleset)
    return Match(ruleset, (0,) * len(ruleset.sides), 0, None, coming.opener, coming.forced, None, None)


def decide(match: Match, action: Action) -> list[GameEvent] | Refusal:
    """The events of the action and of all that follows by itself, or the first reason against it."""
    refusal = refusal_of(match, action)
    if refusal is not None:
        return refusal
    if isinstance(action, PlayTile):
        return _play(match, action)
    match action:
        case Draw():
            return _draw(match)
        case Pass():
            return _pass(match)
        case Timeout():
            return _act_for_seat(match)
        case Flag():
            return [flag_end(match, action.seat)]
        case _:
            assert_never(action)


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
    dealt = RoundDealt(match.round_number + 1, hands, boneyard, seat, bound, client_seeds)
    after = evolve(match, dealt)
    if match.ruleset.opening == "house" and bound is not None:
        return [dealt, *_play(after, play_of(seat, bound, "start"), by="house")]
    return [dealt, *forced_events(after)]


def forced_events(match: Match) -> list[GameEvent]:
    """The draws and passes that happen by themselves in this very state, and the round's end when all passed."""
    return [] if match.playing is None else _forced(match, match.playing, match.scores)


def _forced(match: Match, current: Round, scores: Scores) -> list[GameEvent]:
    """The same with the round and the scores as they stand after events that the match has not seen yet."""
    events: list[GameEvent] = []
    ruleset, ends = match.ruleset, current.layout.ends
    if ruleset.forced == "manual" or not ends:
        return events
    fits, seat, passes = fitting(ends), current.to_move, current.passes_in_a_row
    while not current.held(seat) & fits:
        if can_draw(ruleset, current):
            drawn = _drawn(ruleset, current, seat)
            events.append(drawn)
            current = _round_drawn(current, drawn)
            continue
        events.append(Passed(seat))
        passes += 1
        if passes == ruleset.seats:
            return events + _with_match_end(match, round_end_blocked(match.ruleset, scores, current))
        seat = ruleset.next_seat(seat)
    return events


def _play(match: Match, action: PlayTile, by: Literal["house"] | None = None) -> list[GameEvent]:
    ruleset, current, seat = match.ruleset, match.round, action.seat
    assert current is not None
    played = _played(match, current, action, by)
    if played.points and (over := match_end_at_target(ruleset, played.scores)) is not None:
        return [played, over]
    hidden = ~(current.laid | 1 << action.tile)
    if not current.had[seat - 1] & hidden:
        ended = round_end_out(ruleset, played.scores, _round_played(ruleset, current, played), seat)
        return [played, *_with_match_end(match, ended)]
    if ruleset.forced == "manual" or current.had[seat % ruleset.seats] & hidden & fitting(played.ends):
        return [played]  # the usual case: the turn passes to a seat that can play
    return [played, *_forced(match, _round_played(ruleset, current, played), played.scores)]


def _draw(match: Match) -> list[GameEvent]:
    assert match.round is not None
    drawn = _drawn(match.ruleset, match.round, match.round.to_move)
    return [drawn, *_forced(match, _round_drawn(match.round, drawn), match.scores)]


def _pass(match: Match) -> list[GameEvent]:
    current = match.round
    assert current is not None
    passed = Passed(current.to_move)
    if current.passes_in_a_row + 1 == match.ruleset.seats:
        return [passed, *_with_match_end(match, round_end_blocked(match.ruleset, match.scores, current))]
    return [passed, *_forced(match, _round_passed(match.ruleset, current, passed), match.scores)]


def _act_for_seat(match: Match) -> list[GameEvent]:
    """One whole turn by the autopilot: draws as needed, then the play or pass."""
    action = autopilot_action(match)
    if isinstance(action, PlayTile):
        return _play(match, action)
    if isinstance(action, Draw):
        assert match.round is not None
        drawn = _drawn(match.ruleset, match.round, match.round.to_move)
        return [drawn, *_act_for_seat(evolve(match, drawn))]
    return _pass(match)


def _played(match: Match, current: Round, action: PlayTile, by: Literal["house"] | None) -> TilePlayed:
    ruleset, seat, tile = match.ruleset, action.seat, action.tile
    layout, play = current.layout, action
    if play.end is None:
        play = play_of(seat, tile, places_for(layout, tile)[0])
    ends = ends_after(layout, play, four_ends=ruleset.spinner)
    total = ends_total(layout, play, ends)
    points = total if ruleset.fives and total % 5 == 0 else 0
    scores = with_points(ruleset, match.scores, seat, points) if points else match.scores
    assert play.end is not None
    return TilePlayed(seat, tile, play.end, ends, total, points, scores, by)


def _drawn(ruleset: Ruleset, current: Round, seat: Seat) -> TilesDrawn:
    return TilesDrawn(seat, current.boneyard[: tiles_to_draw(ruleset, current)])


def _with_match_end(match: Match, ended: RoundEnded) -> list[GameEvent]:
    over = match_end_after_round(match.ruleset, match.round_number, ended.scores)
    return [ended] if over is None else [ended, over]


def evolve(match: Match, event: GameEvent) -> Match:
    """The match after the event. Judges nothing: scores, ends and openers are the event's own."""
    if isinstance(event, TilePlayed):
        assert match.round is not None
        current = _round_played(match.ruleset, match.round, event)
        return Match(match.ruleset, event.scores, match.round_number, current, None, False, None, None)
    match event:
        case Passed():
            assert match.round is not None
            return _in_round(match, _round_passed(match.ruleset, match.round, event))
        case TilesDrawn():
            assert match.round is not None
            return _in_round(match, _round_drawn(match.round, event))
        case RoundDealt():
            current = position(event.hands, event.boneyard, EMPTY, event.opener, event.opener, event.forced_tile)
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


def _in_round(match: Match, current: Round) -> Match:
    return Match(match.ruleset, match.scores, match.round_number, current, None, False, None, None)


def _round_played(ruleset: Ruleset, before: Round, event: TilePlayed) -> Round:
    play = PLAYS[event.seat][END_INDEX[event.end]][event.tile]
    return Round(
        before.dealt,
        before.had,
        before.laid | 1 << event.tile,
        before.boneyard,
        Layout(before.layout.plays + (play,), event.ends),  # noqa: RUF005 (a fold does little else)
        event.seat % ruleset.seats + 1,
        before.opener,
        None,
        0,
        before.passes,
        before.draws,
    )


def _round_drawn(before: Round, event: TilesDrawn) -> Round:
    seat, tiles = event.seat, event.tiles
    seen = (seat, len(tiles), before.layout.ends, len(before.layout.plays))
    return Round(
        (*before.dealt[: seat - 1], before.dealt[seat - 1] + tiles, *before.dealt[seat:]),
        (*before.had[: seat - 1], before.had[seat - 1] | set_of(tiles), *before.had[seat:]),
        before.laid,
        before.boneyard[len(tiles) :],
        before.layout,
        before.to_move,
        before.opener,
        before.forced_tile,
        before.passes_in_a_row,
        before.passes,
        (*before.draws, seen),
    )


def _round_passed(ruleset: Ruleset, before: Round, event: Passed) -> Round:
    return Round(
        before.dealt,
        before.had,
        before.laid,
        before.boneyard,
        before.layout,
        event.seat % ruleset.seats + 1,
        before.opener,
        before.forced_tile,
        before.passes_in_a_row + 1,
        (*before.passes, (event.seat, before.layout.ends)),
        before.draws,
    )
