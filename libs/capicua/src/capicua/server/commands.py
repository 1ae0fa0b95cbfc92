"""The commands that the extra ``server`` adds to ``capicua``."""

import typer

from capicua.server.admin import admin
from capicua.server.bench import bench
from capicua.server.doctor import doctor
from capicua.server.down import down
from capicua.server.mail import mail
from capicua.server.status import status
from capicua.server.up import up

PANEL = "For whoever runs it"


def add_commands(app: typer.Typer) -> None:
    for command in (up, down, status, doctor, mail, bench):
        app.command(rich_help_panel=PANEL)(command)
    app.add_typer(admin, rich_help_panel=PANEL)
