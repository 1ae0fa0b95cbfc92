"""Problem reports: made by people, taken and answered by operators."""

import secrets
from base64 import b32encode
from collections.abc import Sequence
from typing import Any

from account.refusals import Code, Refused
from account.report_pages import ReportPage, page_of, read_cursor
from bus.postgres.database import Connection, one
from contracts.account_api import ReportLine, ReportState
from contracts.account_inner import MakeReport, MoveReport, OperatorReport
from contracts.message import AccountId

HOUR_MS = 60 * 60 * 1000
REPORTS_PER_HOUR_MAX = 20
FROM: dict[ReportState, tuple[ReportState, ...]] = {
    "open": ("taken",),
    "taken": ("open",),
    "answered": ("open", "taken"),
    "closed": ("open", "taken", "answered"),
}
"""The states from which a report gets into one."""

_FIELDS = "report, account, place, text, page, table_id, version, person, made_at, state, taken_by, answer, answered_at"
_MAKE = f"""
INSERT INTO reports (report, account, id, place, text, page, table_id, version, person, made_at)
VALUES (%(report)s, %(account)s, %(id)s, %(place)s, %(text)s, %(page)s, %(table_id)s, %(version)s, %(person)s, %(now)s)
RETURNING {_FIELDS}
"""
_LAST = """
SELECT made_at FROM reports WHERE account = %s AND made_at > %s ORDER BY made_at DESC OFFSET %s LIMIT 1
"""
_OWN = f"""
SELECT {_FIELDS} FROM reports
WHERE account IN (SELECT account FROM accounts WHERE account = %(account)s OR merged_into = %(account)s)
    AND (%(at)s::bigint IS NULL OR (made_at, report) < (%(at)s::bigint, %(after)s::text))
ORDER BY made_at DESC, report DESC LIMIT %(limit)s
"""
_ALL = f"""
SELECT {_FIELDS} FROM reports
WHERE (%(state)s::text IS NULL OR state = %(state)s::text)
    AND (%(at)s::bigint IS NULL OR (made_at, report) > (%(at)s::bigint, %(after)s::text))
ORDER BY made_at, report LIMIT %(limit)s
"""
_MOVE = f"""
UPDATE reports SET
    state = %(state)s,
    taken_by = CASE WHEN %(state)s = 'open' THEN NULL ELSE coalesce(taken_by, %(by)s) END,
    answer = coalesce(%(answer)s, answer),
    answered_at = CASE WHEN %(state)s = 'answered' THEN %(now)s ELSE answered_at END
WHERE report = %(report)s
RETURNING {_FIELDS}
"""


async def make_report(connection: Connection, account: AccountId, wanted: MakeReport, now: int) -> ReportLine:
    """Repeated with the same `id` it is made once. Raises `Refused`."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 2))", [account])
    known = await one(connection, f"SELECT {_FIELDS} FROM reports WHERE account = %s AND id = %s", account, wanted.id)
    if known is not None:
        return _own(known)
    oldest = await one(connection, _LAST, account, now - HOUR_MS, REPORTS_PER_HOUR_MAX - 1)
    if oldest is not None:
        seconds = -(-(oldest["made_at"] + HOUR_MS - now) // 1000)
        expected = f"at most {REPORTS_PER_HOUR_MAX} reports an hour"
        raise Refused(Code.TOO_MANY_REPORTS, "reports", expected, "one more", retry_seconds=seconds)
    report = b32encode(secrets.token_bytes(10)).decode().lower()
    values = wanted.model_dump() | {"report": report, "account": account, "now": now}
    made = await (await connection.execute(_MAKE, values)).fetchone()
    assert made is not None
    return _own(made)


async def own_reports(
    connection: Connection, account: AccountId, cursor: str | None, limit: int
) -> ReportPage[ReportLine]:
    """The account's and its merged guests', the newest first. Raises `Refused`."""
    at, after = read_cursor(cursor)
    found = await connection.execute(_OWN, {"account": account, "at": at, "after": after, "limit": limit + 1})
    return page_of([_own(row) for row in await found.fetchall()], limit)


async def all_reports(
    connection: Connection, state: ReportState | None, cursor: str | None, limit: int
) -> ReportPage[OperatorReport]:
    """Everybody's, the oldest first. Raises `Refused`."""
    at, after = read_cursor(cursor)
    found = await connection.execute(_ALL, {"state": state, "at": at, "after": after, "limit": limit + 1})
    return page_of([OperatorReport(**row) for row in await found.fetchall()], limit)


async def move_report(connection: Connection, report: str, wanted: MoveReport, now: int) -> OperatorReport:
    """What has been done already is not done again. Raises `Refused`."""
    if (wanted.answer is not None) != (wanted.state == "answered"):
        raise Refused(Code.BAD_REQUEST, "answer", "an answer, and only where one is given", "something else")
    row = await one(connection, f"SELECT {_FIELDS} FROM reports WHERE report = %s FOR UPDATE", report)
    if row is None:
        raise Refused(Code.UNKNOWN_REPORT, "report", "a report", "an id without one")
    if not _is_done(row, wanted):
        _check(row, wanted)
        moved = await connection.execute(_MOVE, wanted.model_dump() | {"report": report, "now": now})
        row = await moved.fetchone()
        assert row is not None
    return OperatorReport(**row)


async def forget_people(connection: Connection, accounts: Sequence[str]) -> None:
    """Their reports stay, and nothing says any more whose they were or whom they were about."""
    await connection.execute("UPDATE reports SET account = NULL, id = NULL WHERE account = ANY(%s)", [list(accounts)])
    await connection.execute("UPDATE reports SET person = NULL WHERE person = ANY(%s)", [list(accounts)])


def _is_done(row: dict[str, Any], wanted: MoveReport) -> bool:
    if row["state"] != wanted.state:
        return False
    match wanted.state:
        case "taken":
            return bool(row["taken_by"] == wanted.by)
        case "answered":
            return bool(row["taken_by"] == wanted.by and row["answer"] == wanted.answer)
        case _:
            return True


def _check(row: dict[str, Any], wanted: MoveReport) -> None:
    """Only who has taken a report answers it; giving back and closing is open to all, should that one be away."""
    state, holder = row["state"], row["taken_by"]
    mine = holder in (None, wanted.by) or wanted.state in ("open", "closed")
    if state not in FROM[wanted.state] or not mine:
        whose = " by you" if state in FROM[wanted.state] else ""
        expected = f"a report that is {' or '.join(FROM[wanted.state])}{whose}"
        got = f"one that is {state}" + (f" by {holder}" if holder else "")
        raise Refused(Code.REPORT_MOVED, "report", expected, got)


def _own(row: dict[str, Any]) -> ReportLine:
    return ReportLine(**row)
