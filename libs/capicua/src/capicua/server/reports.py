"""``capicua admin reports``: what people have reported; operators list, take, answer and close it."""

import getpass
import os
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

import httpx
import typer

from bus.local import Home
from bus.local.ports import HOST
from capicua.server.environment import ACCOUNT
from capicua.server.output import OutputClosed, output_closed, printable, say
from capicua.server.processes import INNER_KEY
from contracts.account_api import ReportState
from contracts.account_inner import MoveReport, OperatorReport, OperatorReports
from contracts.api import Problem

ACCOUNT_URL = "CAPICUA_ACCOUNT_URL"
REQUEST_SECONDS_MAX = 10.0
PAGE = 100
UNDONE, UNREACHABLE = 1, 2
State = Literal["open", "taken", "answered", "closed", "all"]

reports = typer.Typer(name="reports", help="What people have reported, and what has become of it.")

As = Annotated[str | None, typer.Option("--as", help="Who you are to other operators; your name here, if not said.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
ReportId = Annotated[str, typer.Argument(help="The report, as the list names it.")]


class Unanswered(Exception):
    """What was asked is not done. The text says why; `status` is the exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class Desk:
    """The account service's inner door, for operators."""

    def __init__(self, url: str, inner_key: str) -> None:
        self._client = httpx.Client(
            base_url=f"{url}/inner/v1",
            headers={"Authorization": f"Bearer {inner_key}"},
            timeout=REQUEST_SECONDS_MAX,
            trust_env=False,
        )

    @classmethod
    def of_environment(cls) -> "Desk":
        """CAPICUA_ACCOUNT_URL and CAPICUA_INNER_KEY, else those of the account service that was started here last,
        whose key nobody else is told. Raises `Unanswered`."""
        url, inner_key = (os.environ.get(name) for name in (ACCOUNT_URL, INNER_KEY))
        if (url is None) != (inner_key is None):
            raise Unanswered(f"Expected {ACCOUNT_URL} and {INNER_KEY} together, got one of them.", UNREACHABLE)
        if url is None or inner_key is None:
            home = Home.from_environment()
            return cls(f"http://{HOST}:{home.ports().get(ACCOUNT, 0)}", home.key(INNER_KEY.lower()))
        return cls(url, inner_key)

    def page(self, state: ReportState | None, cursor: str | None) -> OperatorReports:
        """Raises `Unanswered`."""
        asked = {"state": state, "cursor": cursor, "limit": PAGE}
        given = {name: value for name, value in asked.items() if value is not None}
        return OperatorReports.model_validate(self._ask("GET", "/reports", params=given))

    def move(self, report: str, move: MoveReport) -> OperatorReport:
        """Raises `Unanswered`."""
        body = move.model_dump()
        return OperatorReport.model_validate(self._ask("POST", f"/reports/{quote(report, safe='')}/move", json=body))

    def _ask(self, method: str, path: str, **what: Any) -> Any:
        try:
            answer = self._client.request(method, path, **what)
            if answer.is_success:
                return answer.json()
            problem = Problem.model_validate_json(answer.content)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            why = f"The account service cannot be asked ({type(error).__name__}): is Capicua up? "
            raise Unanswered(why + "'capicua status' tells.", UNREACHABLE) from None
        raise Unanswered(f"Not done, {problem.code}: {problem.detail}.", UNDONE)


@reports.command("list")
def list_reports(
    state: Annotated[State, typer.Option(help="Of which state.")] = "open",
    as_json: AsJson = False,
) -> None:
    """List reports, the oldest first; those that nobody has taken unless another state is asked for."""
    wanted = None if state == "all" else state
    try:
        found = _show_all(Desk.of_environment(), wanted, as_json)
    except OutputClosed:
        raise typer.Exit(output_closed()) from None
    except Unanswered as error:
        raise _end(error) from None
    if not found and not as_json:
        typer.echo("No reports." if wanted is None else f"No reports are {wanted}.")


@reports.command()
def take(report: ReportId, operator: As = None, as_json: AsJson = False) -> None:
    """Take a report: other operators see that it is yours."""
    _move(report, "taken", operator, as_json)


@reports.command()
def answer(
    report: ReportId,
    text: Annotated[str, typer.Argument(help="What the reporter will read.")],
    operator: As = None,
    as_json: AsJson = False,
) -> None:
    """Answer a report that is yours or nobody's."""
    _move(report, "answered", operator, as_json, text)


@reports.command()
def close(report: ReportId, operator: As = None, as_json: AsJson = False) -> None:
    """Close a report, answered or not."""
    _move(report, "closed", operator, as_json)


@reports.command("give-back")
def give_back(report: ReportId, operator: As = None, as_json: AsJson = False) -> None:
    """Give a taken report back, for anybody to take."""
    _move(report, "open", operator, as_json)


def in_full(report: OperatorReport) -> str:
    """Several lines. What people have written is shown without what could move the cursor."""
    at = datetime.fromtimestamp(report.made_at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    where = [report.place, report.page, report.table_id, report.version and f"version {report.version}"]
    where += [report.person and f"about {report.person}"]
    had = ", was with" if report.state == "closed" else " by"
    who = f"{report.state}{f'{had} {report.taken_by}' if report.taken_by else ''}"
    lines = [f"{report.report}  {at}  {who}  from {report.account or 'a deleted account'}"]
    lines += [f"  {printable(', '.join(str(part) for part in where if part))}"]
    lines += [f"  > {printable(line)}" for line in report.text.splitlines()]
    lines += [f"  answer: {printable(line)}" for line in (report.answer or "").splitlines()]
    return "\n".join(lines)


def _show_all(desk: Desk, state: ReportState | None, as_json: bool) -> int:
    """How many there were. Raises `Unanswered` and `OutputClosed`."""
    shown, cursor, more = 0, None, True
    while more:
        page = desk.page(state, cursor)
        for report in page.reports:
            say(report.model_dump_json() if as_json else in_full(report))
        shown, cursor, more = shown + len(page.reports), page.next, page.next is not None
    return shown


def _move(report: str, state: ReportState, operator: str | None, as_json: bool, text: str | None = None) -> None:
    try:
        by = operator or getpass.getuser()
        moved = Desk.of_environment().move(report, MoveReport(state=state, by=by, answer=text))
    except Unanswered as error:
        raise _end(error) from None
    except ValueError:
        raise typer.BadParameter("an answer has 1 to 2000 characters, an operator's name 1 to 60.") from None
    typer.echo(moved.model_dump_json() if as_json else in_full(moved))


def _end(error: Unanswered) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(error.status)
