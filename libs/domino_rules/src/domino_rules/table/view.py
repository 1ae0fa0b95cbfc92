"""What somebody may see of a table: the only ways out for its state and its events while the match runs.

`seat` none is a spectator or a shared screen. Both functions give JSON-ready values.
"""

from __future__ import annotations

from typing import Any

from domino_rules import RULES_VERSION
from domino_rules.ends import ends_to_json
from domino_rules.events import Json, RoundDealt, TilesDrawn
from domino_rules.legal import legal_texts
from domino_rules.notation import tile_name
from domino_rules.ruleset import Seat
from domino_rules.state import Match
from domino_rules.table.deadlines import deadline
from domino_rules.table.events import RoundCommitted, TableEvent
from domino_rules.table.state import (
    Expired,
    Finished,
    LastRound,
    Pausing,
    Playing,
    Table,
    TableState,
    Waiting,
    last_turn,
)


def view_for(state: TableState, seat: Seat | None) -> Json:
    """The table as that seat may see it."""
    table, match = state.table, state.match
    current = match.round
    to_move = None if match.playing is None else match.playing.to_move
    mine = seat is not None and to_move == seat
    return {
        "table_id": table.table_id,
        "status": _status(state),
        "ruleset": table.ruleset.to_json(),
        "rules_version": RULES_VERSION,
        "region": table.region,
        "you": seat,
        "seats": _seats(state),
        "round": match.round_number,
        "turn": last_turn(state),
        "to_move": to_move,
        "layout": _layout(match),
        "ends": {} if current is None else ends_to_json(current.layout.ends),
        "boneyard": 0 if current is None else len(current.boneyard),
        "hand": None if seat is None or current is None else _tiles(current.hands[seat - 1]),
        "legal": legal_texts(match) if mine else [],
        "opener": None if current is None else current.opener,
        "forced_tile": _forced_tile(match) if mine else None,
        "scores": list(match.scores),
        "passes": _passes(match),
        "draws": _draws(match),
        "clocks": list(table.clocks) or None,
        "deadline": _deadline(state),
        "commitment": None if table.committed is None else table.committed.commitment,
        "client_seeds": list(table.client_seeds),
        "revealed": _revealed(table),
        "last_round": None if table.last_round is None else _last_round(table.last_round),
        "result": None if match.match_ended is None else _without_type(match.match_ended.to_json()),
    }


def event_view(event: TableEvent, seat: Seat | None) -> Json:
    """The event as that seat may see it: hidden tiles become a count, a secret seed goes."""
    match event:
        case RoundCommitted():
            return {"type": event.tag, "round": event.round, "commitment": event.commitment}
        case TilesDrawn():
            body = {"type": event.tag, "seat": event.seat, "count": len(event.tiles)}
            return event.to_json() | body if event.seat == seat else body
        case RoundDealt():
            return _deal_view(event, seat)
        case _:
            return event.to_json()


def _deal_view(event: RoundDealt, seat: Seat | None) -> Json:
    holder = event.forced_tile is not None and seat == event.opener
    return {
        "type": event.tag,
        "round": event.round,
        "hand": None if seat is None else _tiles(event.hands[seat - 1]),
        "tiles": [len(hand) for hand in event.hands],
        "boneyard": len(event.boneyard),
        "client_seeds": list(event.client_seeds),
        "opener": event.opener,
        "forced_tile": tile_name(event.forced_tile) if holder and event.forced_tile is not None else None,
    }


def _status(state: TableState) -> str:
    match state:
        case Waiting():
            return "waiting"
        case Playing():
            return "playing"
        case Pausing():
            return "pausing"
        case Finished():
            return "finished"
        case Expired():
            return "expired"


def _deadline(state: TableState) -> Json | None:
    """`credit_ms`, where there is any, is what the seat to move was credited in this turn."""
    due = deadline(state)
    if due is None:
        return None
    body: Json = {"kind": due.kind, "set_at": due.set_at, "due_at": due.due_at}
    turn = state.turn if isinstance(state, Playing) else None
    if turn is None or not turn.credit_ms or due.kind == "autopilot" or due.kind != turn.kind:
        return body
    return body | {"credit_ms": turn.credit_ms}


def _seats(state: TableState) -> list[Json]:
    ready = state.ready if isinstance(state, Pausing) else ()
    hands = () if state.match.round is None else state.match.round.hands
    return [
        {
            "seat": seat,
            "account": player.account,
            "bot": player.bot,
            "seated": player.seated,
            "autopilot": player.autopilot,
            "left": player.left,
            "strength": player.strength,
            "ready": seat in ready,
            "tiles": len(hands[seat - 1]) if hands else 0,
        }
        for seat, player in enumerate(state.table.players, start=1)
    ]


def _layout(match: Match) -> list[Json]:
    if match.round is None:
        return []
    return [{"seat": play.seat, "tile": tile_name(play.tile), "end": play.end} for play in match.round.layout.plays]


def _passes(match: Match) -> list[Json]:
    if match.round is None:
        return []
    return [{"seat": seat, "ends": list(numbers)} for seat, numbers in match.round.passes]


def _draws(match: Match) -> list[Json]:
    if match.round is None:
        return []
    return [
        {"seat": seat, "count": count, "ends": list(numbers), "plays": plays}
        for seat, count, numbers, plays in match.round.draws
    ]


def _forced_tile(match: Match) -> str | None:
    forced = None if match.round is None else match.round.forced_tile
    return None if forced is None else tile_name(forced)


def _revealed(table: Table) -> list[Json]:
    return [
        {"round": seed.round, "commitment": seed.commitment, "server_seed": seed.server_seed} for seed in table.revealed
    ]


def _last_round(last: LastRound) -> Json:
    ended: dict[str, Any] = _without_type(last.ended.to_json())
    return {"round": last.round, **ended, "hands": [_tiles(hand) for hand in last.hands]}


def _without_type(body: Json) -> Json:
    return {field: value for field, value in body.items() if field != "type"}


def _tiles(hand: tuple[int, ...]) -> list[str]:
    return [tile_name(tile) for tile in hand]
