"""Problems that somebody reports, and what has been answered."""

from fastapi import APIRouter

from contracts.account_api import ReportLine, ReportRequest, Reports
from contracts.account_inner import MakeReport
from gateway.account_service import AccountService
from gateway.cursors import LIMIT_FIRST, Cursor, Limit
from gateway.http_identity import Asker
from gateway.limits import QUESTIONS, REPORTS, within


def report_routes(service: AccountService) -> APIRouter:
    routes = APIRouter(prefix="/v1/reports", tags=["reports"])

    @routes.post("", status_code=201, dependencies=[within(REPORTS)])
    async def report_a_problem(wanted: ReportRequest, asker: Asker) -> ReportLine:
        """Something is wrong on a page, at a table, in a replay or a room, or with a person: people of ours read it."""
        return await service.report(asker.account, MakeReport(**wanted.model_dump()))

    @routes.get("", dependencies=[within(QUESTIONS)])
    async def my_reports(asker: Asker, cursor: Cursor = None, limit: Limit = LIMIT_FIRST) -> Reports:
        """What you have reported, the newest first, with the answers; `next` is the next `cursor`."""
        return await service.reports(asker.account, cursor, limit)

    return routes
