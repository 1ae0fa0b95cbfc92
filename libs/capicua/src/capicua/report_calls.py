"""Reports of problems, as a client calls them."""

from collections.abc import AsyncGenerator
from urllib.parse import urlencode

from capicua.connected import Connected
from capicua.errors import well_formed
from capicua.ids import new_id
from contracts.account_api import Place, ReportLine, ReportRequest, Reports


class ReportCalls(Connected):
    """Telling people of ours about problems; the part of a `Client` for it."""

    async def report(
        self,
        text: str,
        place: Place = "page",
        *,
        page: str | None = None,
        table_id: str | None = None,
        version: int | None = None,
        person: str | None = None,
    ) -> ReportLine:
        """Tells people of ours about a problem, in up to 2,000 characters: at a table (with the version that one saw),
        in a replay or a room, with a person (an account), or anywhere else. Raises `Refused`, such as after twenty in
        an hour."""
        with well_formed("bad-request"):
            request = ReportRequest(
                id=new_id(), place=place, text=text, page=page, table_id=table_id, version=version, person=person
            )
        await self._identify()
        return ReportLine.model_validate(await self._http.post("/v1/reports", request))

    async def reports(self) -> AsyncGenerator[ReportLine, None]:
        """One's own reports, the newest first, with what has been answered."""
        await self._identify()
        cursor: str | None = None
        while True:
            query = "" if cursor is None else "?" + urlencode({"cursor": cursor})
            page = Reports.model_validate(await self._http.get(f"/v1/reports{query}"))
            for line in page.reports:
                yield line
            cursor = page.next
            if cursor is None:
                return
