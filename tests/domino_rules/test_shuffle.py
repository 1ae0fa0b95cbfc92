import hashlib
import hmac
from dataclasses import replace

import pytest

from domino_rules import shuffle
from domino_rules.notation import hand_text
from domino_rules.shuffle import Seeds, ShuffleMismatch, commitment, is_client_seed, verify

SEEDS = Seeds(bytes(range(32)), "table-1", 3, ("", "salt", "~!"))


def straightforward(seeds: Seeds, hand_size: int) -> tuple[list[list[str]], list[str], int]:
    """The rule book's words again, on names and lists: hands, boneyard, lot."""
    names = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    blocks = [
        hmac.new(seeds.server, f"{seeds.table_id}:{seeds.round}:{':'.join(seeds.clients)}:{i}".encode(), hashlib.sha256)
        for i in range(20)
    ]
    stream = list(b"".join(block.digest() for block in blocks))

    def below(limit: int) -> int:
        while True:
            byte = stream.pop(0)
            if byte < 256 - (256 % limit):
                return byte % limit

    for k in range(27, 0, -1):
        other = below(k + 1)
        names[k], names[other] = names[other], names[k]
    dealt = [names[seat * hand_size : seat * hand_size + hand_size] for seat in range(len(seeds.clients))]
    return dealt, names[len(seeds.clients) * hand_size :], below(len(seeds.clients)) + 1


@pytest.mark.parametrize("clients", [("", ""), ("a", "b", "c"), ("", "salt", "", "~ !" * 21)])
@pytest.mark.parametrize("number", [1, 2, 10, 777])
def test_the_deal_is_what_the_rule_book_says(clients: tuple[str, ...], number: int) -> None:
    seeds = Seeds(hashlib.sha256(str(number).encode()).digest(), "t-1", number, clients)
    size = 7 if len(clients) == 2 else 5
    dealt = shuffle.deal(seeds, size)
    hands, boneyard, lot = straightforward(seeds, size)
    assert [hand_text(hand) for hand in dealt.hands] == [" ".join(hand) for hand in hands]
    assert hand_text(dealt.boneyard) == " ".join(boneyard)
    assert dealt.lot == lot


def test_a_known_deal_stays_what_it_is() -> None:
    dealt = shuffle.deal(SEEDS, 5)
    assert [hand_text(hand) for hand in dealt.hands] == GOLDEN_HANDS
    assert dealt.lot == GOLDEN_LOT


GOLDEN_HANDS = ["4-2 6-5 4-1 1-0 3-2", "6-1 5-5 0-0 5-1 3-3", "2-0 6-4 6-0 3-1 3-0"]
GOLDEN_LOT = 1


def test_all_lots_come_up_about_equally_often() -> None:
    lots = [shuffle.deal(replace(SEEDS, round=number), 5).lot for number in range(1, 601)]
    assert all(150 < lots.count(seat) < 250 for seat in (1, 2, 3))


def test_the_commitment_is_the_hash_of_the_raw_seed() -> None:
    assert commitment(bytes(32)) == hashlib.sha256(bytes(32)).hexdigest()


def test_a_fair_round_verifies() -> None:
    dealt = shuffle.deal(SEEDS, 5)
    verify(SEEDS, commitment(SEEDS.server), dealt.hands, dealt.boneyard)


@pytest.mark.parametrize("part", ["commitment", "hands", "boneyard", "client seed", "round", "table"])
def test_any_change_is_found(part: str) -> None:
    dealt, published, seeds = shuffle.deal(SEEDS, 5), commitment(SEEDS.server), SEEDS
    hands, boneyard = dealt.hands, dealt.boneyard
    match part:
        case "commitment":
            published = commitment(bytes(32))
        case "hands":
            hands = (hands[1], hands[0], hands[2])
        case "boneyard":
            boneyard = boneyard[::-1]
        case "client seed":
            seeds = replace(seeds, clients=("x", "salt", "~!"))
        case "round":
            seeds = replace(seeds, round=4)
        case _:
            seeds = replace(seeds, table_id="table-2")
    with pytest.raises(ShuffleMismatch):
        verify(seeds, published, hands, boneyard)


@pytest.mark.parametrize(("seed", "allowed"), [("", True), (" ~!", True), ("x" * 64, True), ("x" * 65, False)])
def test_a_client_seed_is_at_most_64_characters(seed: str, allowed: bool) -> None:
    assert is_client_seed(seed) is allowed


@pytest.mark.parametrize("seed", ["a:b", "ä", "a\n", "\x7f", "\x1f"])
def test_a_client_seed_is_printable_ascii_without_a_colon(seed: str) -> None:
    assert not is_client_seed(seed)
    with pytest.raises(ValueError, match="client seed"):
        replace(SEEDS, clients=(seed,))


def test_seeds_that_would_be_ambiguous_are_refused() -> None:
    with pytest.raises(ValueError, match="table id"):
        replace(SEEDS, table_id="a:b")
    with pytest.raises(ValueError, match="server seed: expected 32 bytes, got 31"):
        replace(SEEDS, server=bytes(31))
