"""The whole state of a table as JSON, secrets included: for caches, snapshots and hashes, never for a client.

Fields that are younger than the first logs are written only where they say something: the state of an old log keeps
the hash that is recorded in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from domino_rules import match_codec
from domino_rules.events import Json, RoundEnded
from domino_rules.notation import hand_text, parse_hand
from domino_rules.ruleset import Ruleset
from domino_rules.table.state import (
    Expired,
    Finished,
    LastRound,
    Pausing,
    Player,
    Playing,
    Seed,
    Table,
    TableState,
    Turn,
    Waiting,
)


def state_hash(state: TableState) -> str:
    """The SHA-256 in hex of the state's canonical JSON: sorted keys, no spaces."""
    body = to_json(state)
    if body["match"]["round"] is not None:
        body["match"]["round"].pop("draws", None)  # younger than the first logs, and a part of what the hands tell
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def to_json(state: TableState) -> Json:
    """The state as a JSON object; `from_json` gives an equal state back."""
    body: Json = {
        "status": type(state).__name__.lower(),
        "table": _table_to_json(state.table),
        "match": match_codec.to_json(state.match),
    }
    if isinstance(state, Waiting):
        return {**body, "due_at": state.due_at}
    body["turn"] = None if state.turn is None else _turn_to_json(state.turn)
    if isinstance(state, Pausing):
        body |= {"set_at": state.set_at, "due_at": state.due_at, "ready": list(state.ready)}
    return body


def from_json(body: Mapping[str, Any]) -> TableState:
    """The state of such an object; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    table = _table_from_json(body["table"])
    match = match_codec.from_json(body["match"], table.ruleset)
    if body["status"] == "waiting":
        return Waiting(table, match, body["due_at"])
    turn = None if body["turn"] is None else _turn_from_json(body["turn"])
    match body["status"]:
        case "playing":
            return Playing(table, match, turn)
        case "pausing":
            return Pausing(table, match, turn, body["set_at"], body["due_at"], tuple(body["ready"]))
        case "finished":
            return Finished(table, match, turn)
        case "expired":
            return Expired(table, match, turn)
        case status:
            raise ValueError(f"status: expected waiting, playing, pausing, finished or expired, got {status!r}")


def _table_to_json(table: Table) -> Json:
    last = table.last_round
    return {
        "table_id": table.table_id,
        "ruleset": table.ruleset.to_json(),
        "region": table.region,
        "opened_at": table.opened_at,
        "players": [_player_to_json(player) for player in table.players],
        "committed": None if table.committed is None else asdict(table.committed),
        "revealed": [asdict(seed) for seed in table.revealed],
        "client_seeds": list(table.client_seeds),
        "last_round": None if last is None else _last_round_to_json(last),
        "timed_out_turn": table.timed_out_turn,
        **({"clocks": list(table.clocks)} if table.clocks else {}),
        **({"noted_at": table.noted_at} if table.noted_at else {}),
        **({"hosted": True} if table.hosted else {}),
    }


def _player_to_json(player: Player) -> Json:
    body = asdict(player)
    for younger in ("strength", "delay_ms", "credited_ms"):
        if not body[younger]:
            del body[younger]
    return body


def _table_from_json(body: Mapping[str, Any]) -> Table:
    committed, last = body["committed"], body["last_round"]
    return Table(
        body["table_id"],
        Ruleset.from_json(body["ruleset"]),
        body["region"],
        body["opened_at"],
        tuple([Player(**player) for player in body["players"]]),
        None if committed is None else Seed(**committed),
        tuple([Seed(**seed) for seed in body["revealed"]]),
        tuple(body["client_seeds"]),
        None if last is None else _last_round_from_json(last),
        body["timed_out_turn"],
        tuple(body.get("clocks", ())),
        body.get("noted_at", 0),
        body.get("hosted", False),
    )


def _last_round_to_json(last: LastRound) -> Json:
    return {"round": last.round, "ended": last.ended.to_json(), "hands": [hand_text(hand) for hand in last.hands]}


def _last_round_from_json(body: Mapping[str, Any]) -> LastRound:
    hands = tuple([parse_hand(hand) for hand in body["hands"]])
    return LastRound(body["round"], RoundEnded.from_json(body["ended"]), hands)


def _turn_to_json(turn: Turn) -> Json:
    body = asdict(turn)
    if not turn.credit_ms:
        del body["credit_ms"]
    return body


def _turn_from_json(body: Mapping[str, Any]) -> Turn:
    fresh = body["fresh"]
    return Turn(**{**body, "fresh": None if fresh is None else (fresh[0], fresh[1])})
