import json
import os
import subprocess
import sys
from email.message import EmailMessage
from mailbox import Maildir
from pathlib import Path

from bus.local import Home
from bus.local.mailbox import NAME
from capicua.server.mail import Mail, in_full, read_mails

CAPICUA = str(Path(sys.executable).with_name("capicua"))


def put(home: Home, to: str, subject: str, text: str, at: int) -> None:
    message = EmailMessage()
    message["To"], message["Subject"] = to, subject
    message.set_content(text)
    box = Maildir(home.data(NAME))
    path = next(path for path in home.data(NAME).glob(f"new/{box.add(message)}*"))
    os.utime(path, (at, at))


def capicua_mail(home: Home, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "CAPICUA_HOME": str(home.root)}
    return subprocess.run([CAPICUA, "mail", *arguments], env=environment, capture_output=True, text=True)


def test_mails_are_shown_the_newest_last(tmp_path: Path) -> None:
    home = Home(tmp_path)
    put(home, "ada@example.org", "Dein Weg zurück", "Grüße\n", 200)
    put(home, "ben@example.org", "Witaj", "Cześć, Łódź\n", 100)
    shown = capicua_mail(home).stdout
    assert shown.index("Cześć, Łódź") < shown.index("To: ada@example.org\nSubject: Dein Weg zurück\n\nGrüße")


def test_those_to_one_address_or_the_last_ones_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for number in range(3):
        put(home, "ada@example.org", f"number {number}", "…", 100 + number)
    put(home, "ben@example.org", "another", "…", 200)
    done = capicua_mail(home, "--to", "ADA@example.org", "--last", "2", "--json")
    assert [json.loads(line)["subject"] for line in done.stdout.splitlines()] == ["number 1", "number 2"]


def test_where_there_is_none_it_is_said(tmp_path: Path) -> None:
    done = capicua_mail(Home(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"No mail in {tmp_path}.\n")
    assert capicua_mail(Home(tmp_path), "--json").stdout == ""
    assert read_mails(tmp_path / "nowhere") == []


def test_what_could_move_the_cursor_is_not_shown() -> None:
    assert "\x1b" not in in_full(Mail(0, "a@example.org", "\x1b[2J", "\x1b[31mred"))
