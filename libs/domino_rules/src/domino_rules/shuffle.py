"""A deal that nobody can steer and anybody can check.

The server's seed is committed to by its SHA-256 before the seats' seeds can be known to it. Both together make a
stream of bytes, HMAC-SHA256 in counter mode, which shuffles by Fisher and Yates with rejection, so without bias.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, zip_longest
from typing import Final, Literal

from domino_rules.notation import tile_name
from domino_rules.ruleset import Seat
from domino_rules.tiles import TILES, Hand, Tile

SEED_BYTES: Final = 32
SERVER_SEED: Final = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")
"""A server seed as it is revealed, in hex."""
CLIENT_SEED_CHARACTERS_MAX: Final = 64


class ShuffleMismatch(ValueError):
    """The first thing about a deal that does not follow from its seeds.

    `part` is the commitment, the hands (how many there are), a hand, the boneyard or the lot; `seat` is given for a
    hand, `place` (from 1) for a tile of a hand or of the boneyard.
    """

    def __init__(
        self,
        part: Literal["commitment", "hands", "hand", "boneyard", "lot"],
        expected: str,
        got: str,
        *,
        seat: Seat | None = None,
        place: int | None = None,
    ) -> None:
        of_seat = "" if seat is None else f" of seat {seat}"
        self.where = part + of_seat + ("" if place is None else f", tile {place}")
        self.part, self.seat, self.place = part, seat, place
        self.expected, self.got = expected, got
        super().__init__(f"{self.where}: expected {expected}, got {got}")


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands, seat 1 first, the boneyard from its front, and a seat by lot (used only where a lot decides)."""

    hands: tuple[Hand, ...]
    boneyard: Hand
    lot: Seat


@dataclass(frozen=True, slots=True)
class Seeds:
    """All that decides one round's deal. `server` is 32 secret bytes until the round's end."""

    server: bytes
    table_id: str
    round: int
    clients: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.server) != SEED_BYTES:
            raise ValueError(f"server seed: expected {SEED_BYTES} bytes, got {len(self.server)}")
        if ":" in self.table_id:
            raise ValueError("table id: expected no colon, got one")
        for seed in self.clients:
            if not is_client_seed(seed):
                raise ValueError("client seed: expected 0 to 64 printable ASCII characters without a colon")


def is_client_seed(text: str) -> bool:
    """Whether a person may give this seed: 0 to 64 characters of printable ASCII, no colon."""
    return len(text) <= CLIENT_SEED_CHARACTERS_MAX and all(" " <= char <= "~" and char != ":" for char in text)


def commitment(server_seed: bytes) -> str:
    """The SHA-256 of the seed in hex, published before the seats' seeds are known."""
    return hashlib.sha256(server_seed).hexdigest()


def deal(seeds: Seeds, hand_size: int) -> Deal:
    """The deal that these seeds give. Raises ValueError when the set is too small for it, or nobody has a seat."""
    seats, most = len(seeds.clients), _hand_size_max(seeds)
    if not 0 <= hand_size <= most:
        raise ValueError(f"hand size: expected 0 to {most} with {seats} seats, got {hand_size}")
    stream = _stream(seeds)
    tiles = list(TILES)
    for last in range(len(tiles) - 1, 0, -1):
        other = _below(stream, last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    hands = tuple(tuple(tiles[seat * hand_size : (seat + 1) * hand_size]) for seat in range(seats))
    return Deal(hands, tuple(tiles[seats * hand_size :]), _below(stream, seats) + 1)


def verify(
    seeds: Seeds,
    published: str,
    hands: tuple[Hand, ...],
    boneyard: Hand,
    *,
    hand_size: int | None = None,
    lot: Seat | None = None,
) -> None:
    """Check a round after its seed was revealed; raises `ShuffleMismatch` with the first thing that is wrong.

    Without `hand_size` it is that of seat 1's hand. `lot` is the opener of a round whose opener a lot decided.
    """
    if commitment(seeds.server) != published:
        raise ShuffleMismatch("commitment", commitment(seeds.server), published)
    if len(hands) != len(seeds.clients):
        raise ShuffleMismatch("hands", str(len(seeds.clients)), str(len(hands)))
    if not hands:
        raise ShuffleMismatch("hands", "at least one", "none")
    if hand_size is None and len(hands[0]) > _hand_size_max(seeds):
        raise ShuffleMismatch("hand", f"at most {_hand_size_max(seeds)} tiles", str(len(hands[0])), seat=1)
    expected = deal(seeds, len(hands[0]) if hand_size is None else hand_size)
    for seat, (given, got) in enumerate(zip(expected.hands, hands, strict=True), start=1):
        _compare("hand", seat, given, got)
    _compare("boneyard", None, expected.boneyard, boneyard)
    if lot is not None and lot != expected.lot:
        raise ShuffleMismatch("lot", f"seat {expected.lot}", f"seat {lot}")


def _hand_size_max(seeds: Seeds) -> int:
    if not seeds.clients:
        raise ValueError("client seeds: expected one for each seat, got none")
    return len(TILES) // len(seeds.clients)


def _compare(part: Literal["hand", "boneyard"], seat: Seat | None, expected: Hand, got: Hand) -> None:
    for place, (wanted, came) in enumerate(zip_longest(expected, got), start=1):
        if wanted != came:
            raise ShuffleMismatch(part, _name(wanted), _name(came), seat=seat, place=place)


def _name(tile: Tile | None) -> str:
    return "no tile" if tile is None else tile_name(tile)


def _stream(seeds: Seeds) -> Iterator[int]:
    prefix = ":".join([seeds.table_id, str(seeds.round), *seeds.clients])
    for block in count():
        yield from hmac.digest(seeds.server, f"{prefix}:{block}".encode(), "sha256")


def _below(stream: Iterator[int], limit: int) -> int:
    """A number from 0 to limit - 1, all equally likely: bytes past the last whole multiple are passed over."""
    bound = 256 - 256 % limit
    return next(byte for byte in stream if byte < bound) % limit
