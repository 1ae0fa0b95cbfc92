"""What was written before there were groups, ratings and people who are away is folded as it was meant; what is
decided is the same in every process."""

import os
import subprocess
import sys
from typing import Any

from tests.architecture.source import ROOT
from tests.lobby.lobbies import NOON, THREE, decider, who_waits
from tests.lobby.seeded_region import played

from bus.decider import Deadline
from lobby.region.filling import FILL_MS
from lobby.region.state import Lobby

OLD_POOL = {"preset": "block", "seats": 3, "target": 50}
RESERVED = [{"account": "eve", "bot": False}, {"account": "h1", "bot": True}, {"account": "h2", "bot": True}]


def ticket(account: str, at: int, *, fill: bool = False) -> dict[str, Any]:
    """As the first version wrote it."""
    body = {"type": "ticket-queued", "account": account, "pool": OLD_POOL, "bot": False, "queued_at": at}
    return body | {"bots": "fill" if fill else "none", "fill_due_at": at + FILL_MS if fill else None}


OLD_LOG: list[dict[str, Any]] = [
    ticket("eve", NOON, fill=True),
    {"type": "bot-stood-by", "account": "h1"},
    {"type": "fill-postponed", "pool": OLD_POOL, "due_at": NOON + 6_000},
    {"type": "bot-stood-by", "account": "h2"},
    {"type": "match-made", "table_id": "t1", "pool": OLD_POOL, "seats": RESERVED},
    ticket("ann", NOON + 7_000),
    ticket("bob", NOON + 8_000, fill=True),
    {"type": "ticket-withdrawn", "account": "ann"},
    {"type": "fill-postponed", "pool": OLD_POOL, "due_at": NOON + 14_000},
    ticket("cid", NOON + 12_000),
    {"type": "table-released", "table_id": "t1"},
    {"type": "match-made", "table_id": "t2", "pool": OLD_POOL, "seats": RESERVED},
]


def test_an_old_log_is_folded_as_it_was_meant() -> None:
    lobby = Lobby()
    for payload in OLD_LOG:
        lobby = decider.evolve(lobby, decider.decode_event(payload))
    assert who_waits(lobby, THREE) == ["bob", "cid"]
    assert dict(lobby.seated) == {"eve": "t2", "h1": "t2", "h2": "t2"}
    assert len(lobby.standing_by) == 0
    due_at = NOON + 14_000
    assert decider.deadline(lobby) == Deadline("fill", f"fill-3-{due_at}", due_at - FILL_MS, due_at)
    assert lobby.queue.looked_at == 0


def test_no_order_of_a_hash_map_decides_anything() -> None:
    assert '"match-made"' in played()
    hashes = {play_in_a_process(hash_seed) for hash_seed in ("1", "2")}
    assert len(hashes) == 1


def play_in_a_process(hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.lobby.seeded_region"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
