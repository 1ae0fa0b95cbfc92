import hashlib
import hmac
from dataclasses import replace

import pytest

from domino_rules import shuffle
from domino_rules.notation import hand_text, parse_tile
from domino_rules.shuffle import Seeds, ShuffleMismatch, commitment, is_client_seed, verify
from domino_rules.tiles import TILES, Hand

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


def mismatch(
    seeds: Seeds = SEEDS,
    published: str | None = None,
    hands: tuple[Hand, ...] | None = None,
    boneyard: Hand | None = None,
    **more: int,
) -> ShuffleMismatch:
    """What is wrong once something of a fair round is replaced."""
    dealt = shuffle.deal(SEEDS, 5)
    with pytest.raises(ShuffleMismatch) as raised:
        verify(
            seeds,
            published or commitment(SEEDS.server),
            dealt.hands if hands is None else hands,
            dealt.boneyard if boneyard is None else boneyard,
            **more,
        )
    return raised.value


def test_a_seed_that_was_not_committed_to_is_wrong_first() -> None:
    wrong = mismatch(published=commitment(bytes(32)), hands=())
    assert (wrong.part, wrong.expected, wrong.got) == (
        "commitment",
        commitment(SEEDS.server),
        commitment(bytes(32)),
    )


def test_a_hand_too_few_is_told() -> None:
    wrong = mismatch(hands=shuffle.deal(SEEDS, 5).hands[:2])
    assert str(wrong) == "hands: expected 3, got 2"


def test_hands_of_nobody_are_told() -> None:
    assert str(mismatch(hands=())) == "hands: expected 3, got 0"
    assert str(mismatch(replace(SEEDS, clients=()), hands=())) == "hands: expected at least one, got none"


def test_hands_that_the_set_is_too_small_for_are_told() -> None:
    longer = (tuple(TILES[:10]), *shuffle.deal(SEEDS, 5).hands[1:])
    assert str(mismatch(hands=longer)) == "hand of seat 1: expected at most 9 tiles, got 10"


@pytest.mark.parametrize("hand_size", [10, 28, -1])
def test_a_deal_that_the_set_is_too_small_for_is_refused(hand_size: int) -> None:
    with pytest.raises(ValueError, match=f"^hand size: expected 0 to 9 with 3 seats, got {hand_size}$"):
        shuffle.deal(SEEDS, hand_size)


def test_a_deal_without_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="client seeds: expected one for each seat, got none"):
        shuffle.deal(replace(SEEDS, clients=()), 7)


def test_the_first_wrong_tile_of_the_first_wrong_hand_is_named() -> None:
    first, second, third = shuffle.deal(SEEDS, 5).hands
    exchanged = (*second[:3], second[4], second[3])
    wrong = mismatch(hands=(first, exchanged, third[::-1]))
    assert (wrong.part, wrong.seat, wrong.place) == ("hand", 2, 4)
    assert str(wrong) == "hand of seat 2, tile 4: expected 5-1, got 3-3"


def test_a_hand_of_another_size_lacks_a_tile_or_has_one_too_many() -> None:
    first, second, third = shuffle.deal(SEEDS, 5).hands
    assert str(mismatch(hands=(first, second[:4], third))) == "hand of seat 2, tile 5: expected 3-3, got no tile"
    longer = (first, (*second, parse_tile("6-6")), third)
    assert str(mismatch(hands=longer)) == "hand of seat 2, tile 6: expected no tile, got 6-6"
    assert str(mismatch(hand_size=4)) == "hand of seat 1, tile 5: expected no tile, got 3-2"


def test_the_first_wrong_tile_of_the_boneyard_is_named() -> None:
    boneyard = shuffle.deal(SEEDS, 5).boneyard
    wrong = mismatch(boneyard=(*boneyard[:6], boneyard[7], boneyard[6], *boneyard[8:]))
    assert (wrong.part, wrong.seat, wrong.place) == ("boneyard", None, 7)
    assert mismatch(boneyard=boneyard[:-1]).place == len(boneyard)


def test_the_lot_is_checked_where_one_decided() -> None:
    dealt = shuffle.deal(SEEDS, 5)
    verify(SEEDS, commitment(SEEDS.server), dealt.hands, dealt.boneyard, hand_size=5, lot=dealt.lot)
    wrong = mismatch(lot=dealt.lot + 1)
    assert (wrong.part, wrong.expected, wrong.got) == ("lot", f"seat {dealt.lot}", f"seat {dealt.lot + 1}")


@pytest.mark.parametrize(
    "seeds",
    [
        replace(SEEDS, clients=("x", "salt", "~!")),
        replace(SEEDS, clients=("", "salt", "~! ")),
        replace(SEEDS, round=4),
        replace(SEEDS, table_id="table-2"),
    ],
)
def test_every_part_of_the_seeds_counts(seeds: Seeds) -> None:
    assert mismatch(seeds).part == "hand"


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
