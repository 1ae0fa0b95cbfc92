"""``capicua mail``: the mails that this installation has sent, where no mail server carries them on."""

import json
import os
from dataclasses import asdict, dataclass
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Annotated

import typer

from bus.local import Home
from bus.local.mailbox import NAME
from capicua.server.output import OutputClosed, output_closed, printable, say


@dataclass(frozen=True)
class Mail:
    """As it was received: `at` in seconds since 1970."""

    at: float
    to: str
    subject: str
    text: str


def mail(
    to: Annotated[str | None, typer.Option("--to", help="Only what was sent to this address.")] = None,
    last: Annotated[int, typer.Option("--last", min=1, help="Only so many, the newest ones.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the mails that Capicua has sent on this machine, the newest last."""
    home = Home.from_environment()
    found = [each for each in read_mails(home.data(NAME)) if to is None or each.to.lower() == to.lower()][-last:]
    try:
        for each in found:
            say(json.dumps(asdict(each), ensure_ascii=False) if as_json else in_full(each))
    except OutputClosed:
        raise typer.Exit(output_closed()) from None
    if not found and not as_json:
        elsewhere = " It goes to the server in SMTP_URL." if os.environ.get("SMTP_URL") else ""
        typer.echo(f"No mail in {home.root}.{elsewhere}")


def read_mails(folder: Path) -> list[Mail]:
    """What lies in a Maildir, the oldest first; nothing where there is none."""
    paths = sorted([*folder.glob("new/*"), *folder.glob("cur/*")], key=lambda path: path.stat().st_mtime_ns)
    return [_read(path) for path in paths]


def in_full(each: Mail) -> str:
    lines = [f"To: {printable(each.to)}", f"Subject: {printable(each.subject)}", ""]
    return "\n".join([*lines, *map(printable, each.text.splitlines()), ""])


def _read(path: Path) -> Mail:
    parsed = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    body = parsed.get_body(("plain",))
    text = body.get_content() if body is not None else ""
    return Mail(path.stat().st_mtime, str(parsed["To"]), str(parsed["Subject"]), text)
