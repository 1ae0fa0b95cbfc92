"""What every ledger needs of PostgreSQL: connections, migrations, an inbox, and an outbox with its relay."""

from bus.postgres.database import Connection, Database, DatabaseAway
from bus.postgres.inbox import Inbox
from bus.postgres.outbox import Outbox
from bus.postgres.relay import Relay

__all__ = ["Connection", "Database", "DatabaseAway", "Inbox", "Outbox", "Relay"]
