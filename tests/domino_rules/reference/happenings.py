"""Names what a result shows, so that a test can say that everything worth testing did occur."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from .rulesets import DEALS_FORCE


def happenings(scenario: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
    if "error" in result:
        yield "malformed"
        return
    events = result["events"]
    if "refused" in result:
        yield f"refused: {result['refused']['reason']}"
    if opens_by_force(scenario) and events and events[0].get("end") == "start" and "by" not in events[0]:
        yield "forced opening"
    for index, event in enumerate(events):
        yield from in_event(scenario, event)
        if event.get("end") == "start":
            yield from after_opening(scenario, events[index + 1 :])
    yield from ("round with four ends" for _ in rounds_with_four_ends(events))
    yield from at_dead_ends(scenario, events)
    yield from in_order(scenario, events)
    yield from at_the_end(scenario, result)


def opens_by_force(scenario: dict[str, Any]) -> bool:
    free = "layout" in scenario or "opener" in scenario or scenario.get("previous", {}).get("winner")
    return scenario["ruleset"]["preset"] in DEALS_FORCE and not free


def in_event(scenario: dict[str, Any], event: dict[str, Any]) -> Iterator[str]:
    match event:
        case {"type": "tile-played", "by": "house"}:
            yield "house opening"
        case {"type": "tile-played", "points": points}:
            yield from ["play with points"] * (points > 0)
        case {"type": "tiles-drawn", "tiles": tiles}:
            yield "draw of several tiles" if len(tiles.split()) > 1 else "draw of one tile"
        case {"type": "round-ended", "reason": reason, "winner": winner, "points": points}:
            pairs = " in pairs" if scenario["ruleset"].get("pairs") else ""
            yield f"{reason}{pairs}" if winner else f"blocked and tied{pairs}"
            if winner and not points:
                yield "won for nothing"
        case {"type": "match-ended", "reason": reason, "winner": winner}:
            yield f"match end: {reason}" if winner else "match drawn"


def after_opening(scenario: dict[str, Any], rest: list[dict[str, Any]]) -> Iterator[str]:
    """What follows an opening play; `rest` is the events after it."""
    if rest and rest[0]["type"] == "passed":
        yield "pass right after an opening"
    seats = scenario["ruleset"].get("seats") or len(scenario["deal"]["hands"])
    if len(rest) > seats and all(event["type"] == "passed" for event in rest[:seats]):
        yield "blocked right after the opening"


def rounds_with_four_ends(events: list[dict[str, Any]]) -> set[int]:
    """Their places among the rounds told of."""
    ended = 0
    found: set[int] = set()
    for event in events:
        ended += event["type"] == "round-ended"
        if len(event.get("ends", {})) == 4:
            found.add(ended)
    return found


def at_dead_ends(scenario: dict[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    laid = [text.split("@")[0] for text in scenario.get("layout", [])]
    for event in events:
        if event["type"] == "tile-played":
            laid = [event["tile"]] if event["end"] == "start" else [*laid, event["tile"]]
            if all(sum(str(number) in tile for tile in laid) == 7 for number in event["ends"].values()):
                yield "dead ends"


def at_the_end(scenario: dict[str, Any], result: dict[str, Any]) -> Iterator[str]:
    ruleset, events = scenario["ruleset"], result["events"]
    done = result["refused"]["action"] if "refused" in result else len(scenario["actions"])
    yield from ("timeout" for action in scenario["actions"][:done] if action.endswith("timeout"))
    if events and not done:
        yield "events before the first action"
    if "" in result["hands"] and result["status"] == "match-ended" and events[-2]["type"] == "tile-played":
        yield "last tile ends the match by its points"
    if events and events[-1]["type"] in ("passed", "round-ended") and result["boneyard"]:
        for option in ("stop_on_dead_end", "boneyard_reserve"):
            if ruleset.get(option) and ruleset["preset"] != "block":
                yield f"pass with tiles left: {option}"


def in_order(scenario: dict[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    """What two neighbouring events show together."""
    for first, second in pairwise(events):
        match first["type"], second["type"]:
            case _, "match-ended" if first["type"] != "round-ended":
                yield f"match ended within a round by {second['reason']}"
            case "round-ended", "tile-played" | "tiles-drawn":
                yield "further deal"
            case "passed", "round-ended" if scenario["ruleset"].get("pairs") and second["winner"] is not None:
                winner, last_player, pips = second["winner"], first["seat"], second["pips"]
                if (winner - last_player) % 2 == 0 and pips[winner - 1] == pips[(winner + 1) % 4]:
                    yield "won by equal partners of whom one played last"
            case "tiles-drawn", "passed":
                yield "draw in vain"
    cap = scenario["ruleset"].get("round_cap")
    past = scenario.get("round", 1) + sum(event["type"] == "round-ended" for event in events) - 1
    if cap and past > cap:
        yield "extra round"
