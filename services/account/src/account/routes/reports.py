"""Problem reports: people make them and see what became of theirs, operators take and answer them."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from account.accounts import Accounts
from account.report_pages import CURSOR_CHARACTERS_MAX, PAGE, PAGE_MAX
from account.reports import all_reports, make_report, move_report, own_reports
from bus.postgres import Database
from bus.postgres.database import now
from contracts.account_api import ReportLine, Reports, ReportState
from contracts.account_inner import MakeReport, MoveReport, OperatorReport, OperatorReports
from contracts.message import AccountId

Cursor = Annotated[str | None, Query(max_length=CURSOR_CHARACTERS_MAX)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Report = Annotated[str, Path(max_length=64)]


def report_routes(database: Database, accounts: Accounts) -> APIRouter:
    routes = APIRouter(tags=["reports"])

    @routes.post("/accounts/{account}/reports")
    async def make(account: AccountId, wanted: MakeReport) -> ReportLine:
        async with database.transaction() as connection:
            await accounts.hold(connection, account)
            return await make_report(connection, account, wanted, await now(connection))

    @routes.get("/accounts/{account}/reports")
    async def list_own(account: AccountId, cursor: Cursor = None, limit: Limit = PAGE) -> Reports:
        async with database.transaction() as connection:
            page = await own_reports(connection, account, cursor, limit)
        return Reports(reports=page.reports, next=page.next)

    @routes.get("/reports")
    async def list_all(state: ReportState | None = None, cursor: Cursor = None, limit: Limit = PAGE) -> OperatorReports:
        async with database.transaction() as connection:
            page = await all_reports(connection, state, cursor, limit)
        return OperatorReports(reports=page.reports, next=page.next)

    @routes.post("/reports/{report}/move")
    async def move(report: Report, wanted: MoveReport) -> OperatorReport:
        async with database.transaction() as connection:
            return await move_report(connection, report, wanted, await now(connection))

    return routes
