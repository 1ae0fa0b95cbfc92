"""What happened, in sentences: one for each event that a player should read."""

from collections.abc import Sequence

from rich.cells import cell_len

from capicua.countdown import PutOff
from capicua.terminal.names import padded, shortened
from capicua.view import Event, TableView

NAME_CELLS = 8
REASONS = {
    "out": "goes out",
    "target": "the target is reached",
    "round-cap": "the last round is played",
    "clock": "the clock ran out",
}


def narrate(view: TableView) -> list[str]:
    """Sentences for the view's events, in order."""
    lines = ["(some time passed unseen)"] if view.missed else []
    for event in view.events:
        line = _sentence(event, view)
        if line and lines[-1:] != [line]:  # Who returns stops the autopilot too: "You are back" is told once.
            lines.append(line)
    return lines


def narrate_put_off(put_off: PutOff, view: TableView) -> list[str]:
    """Sentences on why more time is left than before."""
    lines = []
    if put_off.given_back_ms:
        lines.append(f"(the service was silent: {put_off.given_back_ms // 1000} s are given back)")
    if put_off.fresh and view.deadline is not None:
        who = _who(view.to_move, view)
        seconds = (view.deadline.due_at - view.deadline.set_at) // 1000
        lines.append(f"({who} {_verb('has', who)} a fresh timer: {seconds} s)")
    return lines


def name(seat: int | None, view: TableView) -> str:
    """`you`, `bot 2`, a person's name where it is known, shortened to 12 columns, or `seat 2`."""
    if seat is None:
        return "nobody"
    if seat == view.you:
        return "you"
    found = next((other for other in view.seats if other.seat == seat), None)
    if found is None or found.bot:
        return f"{'seat' if found is None else 'bot'} {seat}"
    return shortened(view.names.get(found.account, f"seat {seat}"))


def padded_name(seat: int, view: TableView) -> str:
    """As wide as every other seat's."""
    cells = max([NAME_CELLS, *(cell_len(name(other.seat, view)) for other in view.seats)])
    return padded(name(seat, view), cells)


def _sentence(event: Event, view: TableView) -> str:
    who = _who(event.get("seat"), view)
    match event["type"]:
        case "round-dealt":
            return f"Round {event['round']}: {name(event['opener'], view)} to open"
        case "tile-played":
            return _play(event, view)
        case "tiles-drawn":
            return f"{who} {_verb('draws', who)} {_drawn(event)}"
        case "passed":
            return f"{who} {_verb('passes', who)}{_open_numbers(event['seat'], view)}"
        case "turn-timed-out":
            return f"{who} {_verb('runs', who)} out of time"
        case "autopilot-started":
            return f"{who} {_verb('is', who)} played by the autopilot"
        case "autopilot-stopped" | "player-returned":
            return f"{who} {_verb('is', who)} back"
        case "player-left":
            return f"{who} {_verb('leaves', who)}"
        case "round-ended":
            return _round_end(event, view)
        case "match-ended":
            return _match_end(event, view)
    return ""


def _play(event: Event, view: TableView) -> str:
    who = _who(event["seat"], view)
    counts = _counts(event, view)
    if event.get("by") == "house":
        whose = "your" if who == "You" else f"{name(event['seat'], view)}'s"
        return f"The game opens with {event['tile']} from {whose} hand{counts}"
    if event["end"] == "start":
        return f"{who} {_verb('opens', who)} with {event['tile']}{counts}"
    side = {"up": " upwards", "down": " downwards"}.get(event["end"], f" on the {event['end']}")
    return f"{who} {_verb('plays', who)} {event['tile']}{side}{counts}"


def _counts(event: Event, view: TableView) -> str:
    """What the ends count in all fives, and what that scores."""
    if not view.ruleset.get("fives"):
        return ""
    points = f", {count_of_points(event['points'])}" if event["points"] else ""
    return f" (the ends count {event['ends_total']}{points})"


def _who(seat: int | None, view: TableView) -> str:
    return _capital(name(seat, view)) if seat is not None else ""


def _verb(verb: str, who: str) -> str:
    """The verb for somebody else, or for you: plays/play, passes/pass, has/have, is/are."""
    if who != "You":
        return verb
    return {"is": "are", "has": "have", "passes": "pass"}.get(verb, verb[:-1])


def _drawn(event: Event) -> str:
    if "tiles" in event:
        return str(event["tiles"])
    return count_of_tiles(event["count"])


def count_of_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def count_of_tiles(count: int) -> str:
    """`1 tile`, `3 tiles`."""
    return "1 tile" if count == 1 else f"{count} tiles"


def _open_numbers(seat: int, view: TableView) -> str:
    of_seat = [passed.ends for passed in view.passes if passed.seat == seat]
    return f" (open: {numbers(of_seat[-1])})" if of_seat else ""


def numbers(ends: Sequence[int]) -> str:
    """`3 and 5`, or `3` when both ends show the same."""
    return " and ".join(str(number) for number in sorted(set(ends)))


def _round_end(event: Event, view: TableView) -> str:
    winner, points = event["winner"], event["points"]
    if winner is None:
        return "The round is blocked and tied: nobody scores"
    blocked = "The round is blocked: " if event["reason"] == "blocked" else ""
    side = view.rules.sides[view.rules.side_of(winner)]
    return _capital(f"{blocked}{_winners(side, view)} the round, {count_of_points(points)}")


def _match_end(event: Event, view: TableView) -> str:
    if not event["winner"]:
        return "The match is drawn"
    return _capital(f"{_winners(event['winner'], view)} the match ({_reason(event, view)})")


def _reason(event: Event, view: TableView) -> str:
    reason = str(event["reason"])
    if reason != "resigned":
        return REASONS.get(reason, reason)
    losers = [seat.seat for seat in view.seats if seat.seat not in event["winner"]]
    return f"{' and '.join(name(seat, view) for seat in losers)} resigned"


def _winners(seats: Sequence[int], view: TableView) -> str:
    """`you win`, `bot 2 wins`, `seat 1 and bot 3 win`."""
    names = " and ".join(name(seat, view) for seat in seats)
    return f"{names} {_verb('wins', _capital(names)) if len(seats) == 1 else 'win'}"


def _capital(line: str) -> str:
    return line[0].upper() + line[1:]
