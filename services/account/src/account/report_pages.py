"""Reports page by page. A cursor names the last report of a page by its time and name: what is made meanwhile moves no
page."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from account.refusals import Code, Refused
from contracts.account_api import ReportLine

PAGE_MAX = 100
PAGE = 50
CURSOR_CHARACTERS_MAX = 100
Line = TypeVar("Line", bound=ReportLine)


@dataclass(frozen=True, slots=True)
class ReportPage(Generic[Line]):
    """`next`: the cursor of the page that follows."""

    reports: tuple[Line, ...]
    next: str | None


def page_of(found: Sequence[Line], limit: int) -> ReportPage[Line]:
    """The first `limit` of what was found, which is one more when there are more."""
    page = tuple(found[:limit])
    return ReportPage(page, _cursor(page[-1]) if len(found) > limit else None)


def read_cursor(cursor: str | None) -> tuple[int | None, str | None]:
    """Time and name of the report after which the page begins. Raises `Refused`."""
    if cursor is None:
        return None, None
    try:
        at, report = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split(".")
        if not at.isdecimal() or len(at) > 15 or not report.isalnum():
            raise ValueError
    except ValueError:
        raise Refused(Code.BAD_CURSOR, "cursor", "the `next` of a page", "something else") from None
    return int(at), report


def _cursor(line: ReportLine) -> str:
    return urlsafe_b64encode(f"{line.made_at}.{line.report}".encode()).decode().rstrip("=")
