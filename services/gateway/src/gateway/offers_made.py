"""Which table came of an offer, for whoever's answer was lost."""

from collections import OrderedDict

from contracts.envelope import OutcomeBody
from contracts.message import AccountId, TableId
from contracts.region import TableOffered

KEPT_MAX = 50_000
OFFERED = TableOffered.model_fields["type"].default


class OffersMade:
    """The newest offers of one region by host and command id: a repeated command is answered without its events, and
    the table may have begun, or be gone, since."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[AccountId, str], TableId] = OrderedDict()

    def take(self, body: OutcomeBody) -> None:
        """Raises `ValidationError` for a malformed event."""
        for payload in body.events:
            if payload.get("type") == OFFERED:
                offered = TableOffered.model_validate(payload)
                self._tables[offered.host, body.command_id] = offered.table_id
                if len(self._tables) > KEPT_MAX:
                    self._tables.popitem(last=False)

    def table_of(self, host: AccountId, command_id: str) -> TableId | None:
        """The table that this command offered, whatever has become of it; None for one of long ago."""
        return self._tables.get((host, command_id))
