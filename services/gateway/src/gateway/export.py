"""The archive of all that is known of somebody: what the account service has, and matches, of which it has nothing."""

import io
import json
import zipfile
from collections.abc import Iterable

from contracts.queue_api import FinishedTable
from gateway.account_service import AccountService
from gateway.codes import Code
from gateway.merged import Merged
from gateway.my_tables import FinishedTables, FinishedUnavailable
from gateway.problems import problem

MATCHES = "matches.json"
"""As the README that the account service writes has it."""


class Export:
    def __init__(self, service: AccountService, finished: FinishedTables, merged: Merged) -> None:
        self._service = service
        self._finished = finished
        self._merged = merged

    async def of(self, account: str) -> bytes:
        """A zip archive. Raises `AccountsAway`, and the problem `my-tables-unavailable`."""
        try:
            tables = await self._finished.of(await self._merged.with_guests(account))
        except FinishedUnavailable:
            expected = "an answer of the cache"
            raise problem(503, Code.MY_TABLES_UNAVAILABLE, "tables", expected, "none: try again") from None
        return with_matches(await self._service.export(account), tables)


def with_matches(archive: bytes, tables: Iterable[FinishedTable]) -> bytes:
    """The archive, and each of these tables in it, with where its whole match can be had."""
    matches = [table.model_dump(mode="json") | {"replay": f"/v1/tables/{table.table_id}/replay"} for table in tables]
    whole = io.BytesIO(archive)
    with zipfile.ZipFile(whole, "a", zipfile.ZIP_DEFLATED) as files:
        files.writestr(MATCHES, json.dumps(matches, indent=2, ensure_ascii=False) + "\n")
    return whole.getvalue()
