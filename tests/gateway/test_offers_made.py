import pytest

from contracts.envelope import OutcomeBody
from contracts.message import Message
from contracts.region import Pool, SeatTaken, TableOffered
from gateway import offers_made
from gateway.offers_made import OffersMade

POOL = Pool(preset="block", seats=3, target=150)


def offer(host: str, table_id: str) -> TableOffered:
    return TableOffered(table_id=table_id, pool=POOL, host=host, bot=False, at=1)


def outcome(principal: str, command_id: str, *events: Message) -> OutcomeBody:
    return OutcomeBody(
        command_id=command_id,
        principal=principal,
        aggregate="eu",
        version=9,
        at=1,
        decided_at=1,
        rules_version="1",
        events=tuple(event.model_dump(mode="json") for event in events),
    )


def test_each_offer_of_a_host_is_known_by_the_id_of_its_command() -> None:
    offers = OffersMade()
    offers.take(outcome("ann", "one", offer("ann", "t1")))
    offers.take(outcome("bob", "one", SeatTaken(table_id="t1", account="bob", bot=False)))
    offers.take(outcome("ann", "two", offer("ann", "t2")))
    offers.take(outcome("ann", "one"))
    found = [offers.table_of("ann", "one"), offers.table_of("ann", "two"), offers.table_of("bob", "one")]
    assert found == ["t1", "t2", None]


def test_offers_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers_made, "KEPT_MAX", 2)
    offers = OffersMade()
    for number in range(3):
        offers.take(outcome("ann", f"c{number}", offer("ann", f"t{number}")))
    assert [offers.table_of("ann", f"c{number}") for number in range(3)] == [None, "t1", "t2"]
