"""Runs a scenario: each action is refused for the first reason that applies, or done."""

import re
from typing import Any

from .layout import Tile, open_ends
from .match import Match, hand_text
from .reading import read
from .rules import Rules, demand

ACTION = re.compile(r"([1-9]) (?:(draw|pass|timeout|flag)|([0-6])-([0-6])(?:@(left|right|up|down|start|[LRUD]))?)")
END_NAMES = {"L": "left", "R": "right", "U": "up", "D": "down"}


class Refused(Exception):
    """Its one argument is the reason."""


def refuse_if(condition: bool, reason: str) -> None:
    if condition:
        raise Refused(reason)


def parse(text: str, rules: Rules) -> tuple[int, str, Tile, str | None]:
    """Seat, what it does ("play", "draw", "pass", "timeout", "flag"), its tile and the end that it names."""
    found = ACTION.fullmatch(text)
    if found is None:
        raise Refused("unknown-action")
    seat, verb, high, low, end = found.groups()
    refuse_if(not 1 <= int(seat) <= rules.seats, "unknown-action")
    refuse_if(verb == "timeout" and rules.has_match_clock, "unknown-action")
    refuse_if(verb == "flag" and not rules.has_match_clock, "unknown-action")
    if verb:
        return int(seat), verb, (-1, -1), None
    refuse_if(high < low, "unknown-action")
    return int(seat), "play", (int(high), int(low)), END_NAMES.get(end, end)


def act(match: Match, text: str) -> None:
    """Do the action in `text`, and what is forced after it; raises Refused, and then nothing has changed."""
    seat, verb, tile, end = parse(text, match.rules)
    refuse_if(match.status == "match-ended", "match-over")
    refuse_if(match.status == "round-ended", "round-over")
    refuse_if(seat != match.to_move, "not-your-turn")
    if verb == "flag":
        match.end_match("clock", [3 - seat])
        return
    if verb == "timeout":
        match.act_for_the_seat()
    else:
        bound = match.must_open_with is not None
        refuse_if(bound and (verb != "play" or tile != match.must_open_with), "must-open-with")
        if verb == "play":
            match.play(tile, end_to_play(match, tile, end))
        else:
            draw_or_pass(match, verb)
    match.do_what_is_forced()


def end_to_play(match: Match, tile: Tile, end: str | None) -> str:
    refuse_if(tile not in match.hand, "tile-not-in-hand")
    open_now = list(open_ends(match.plays, match.rules.four_ends)) or ["start"]
    fitting = match.fits(tile)
    refuse_if(end is not None and end not in open_now, "end-not-open")
    refuse_if(not fitting or (end is not None and end not in fitting), "does-not-fit")
    refuse_if(end is None and len(fitting) > 1, "end-needed")
    return end or fitting[0]


def draw_or_pass(match: Match, verb: str) -> None:
    refuse_if(bool(match.legal_plays()), "must-play")
    if verb == "pass":
        refuse_if(match.can_draw(), "must-draw")
        match.pass_turn()
    else:
        refuse_if(not match.can_draw(), "cannot-draw")
        match.draw()


def result_of(match: Match) -> dict[str, Any]:
    return {
        "events": match.events,
        "status": match.status,
        "to_move": match.to_move,
        "legal": match.legal(),
        "ends": open_ends(match.plays, match.rules.four_ends),
        "hands": [hand_text(hand) for hand in match.hands],
        "boneyard": hand_text(match.boneyard),
        "scores": match.scores,
    }


def start(data: Any) -> tuple[Match, list[str]]:
    """The match of a scenario before its first action, and the actions. Raises Malformed."""
    scenario = read(data)
    demand(scenario.rules.seats == len(scenario.deal.hands), "a hand for each seat")
    return Match(scenario), scenario.actions


def run(data: Any) -> dict[str, Any]:
    """The result of a scenario; a refusal in it has no message. Raises Malformed."""
    match, actions = start(data)
    for index, action in enumerate(actions):
        try:
            act(match, action)
        except Refused as refusal:
            return result_of(match) | {"refused": {"action": index, "reason": refusal.args[0]}}
    return result_of(match)
