"""What this gateway knows of its own region."""

from collections.abc import Callable
from dataclasses import dataclass, field

from contracts.envelope import OutcomeBody
from contracts.queue_api import Person
from contracts.table import Reservation
from gateway.offers_made import OffersMade
from gateway.places import Places
from gateway.public_tables import PublicTables
from gateway.queue_view import QueueView
from gateway.region_events import region_event


@dataclass(slots=True)
class RegionHere:
    """Folds of the events of the region called `name`. `name_of` gives people's names as far as they are known."""

    name: str
    name_of: Callable[[str], str]
    queue: QueueView = field(default_factory=QueueView)
    places: Places = field(default_factory=Places)
    offers: OffersMade = field(default_factory=OffersMade)
    tables: PublicTables = field(init=False)

    def __post_init__(self) -> None:
        self.tables = PublicTables(self.name, self.person)

    def answer(self, body: OutcomeBody) -> None:
        """The next outcome of some region, after its events. Raises `ValidationError` for a malformed event."""
        if body.aggregate == self.name:
            self.offers.take(body)

    def take(self, region: str, payload: dict[str, object], at: int) -> None:
        """The next event of some region, at the log time `at` in ms. Raises `ValidationError` for a malformed one."""
        event = region_event(payload) if region == self.name else None
        if event is None:
            return
        self.queue.take(event)
        self.places.take(event)
        self.tables.take(event, at)

    def person(self, seat: Reservation) -> Person:
        rating = self.queue.rating(seat.account)
        return Person(account=seat.account, name=self.name_of(seat.account), bot=seat.bot, rating=rating)
