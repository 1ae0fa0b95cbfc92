"""`capicua link` and `capicua recover`: a mail address leads back into an account."""

import json
from typing import Annotated

import typer

from capicua.commands.guest import PERSONAL_TOKEN, known_or_nobody, own_client, personal_token, replace
from capicua.commands.options import FIRST_PATIENCE_SECONDS, Json, Language, Url, run
from capicua.commands.typed import typed
from capicua.credentials import SECRET
from capicua.terminal.names import printable
from contracts.account_api import LinkSent

AT = "@"
WHAT_HELP = "The mail address of the account; or then the code of the mail, or its whole link."
LANGUAGE_HELP = "Of the mail: en, de or pl; else your account's, or English where there is none."
LanguageOption = Annotated[Language | None, typer.Option(metavar="LANGUAGE", help=LANGUAGE_HELP, show_default=False)]
LINK_CODES = {"ignore_unknown_options": True}
"""For a command whose argument may be a code: one in 64 begins with a hyphen."""


def link(
    url: Url,
    address: Annotated[str, typer.Argument(metavar="MAIL", help="Your mail address; nobody else ever sees it.")],
    language: LanguageOption = None,
    as_json: Json = False,
) -> None:
    """Keep your account by a mail address, which leads back into it from anywhere.

    If another account of yours has that address already, what this guest has played moves there.
    """
    if AT not in address:
        raise typer.BadParameter("expected a mail address such as ada@example.org", param_hint="MAIL")
    run(_link(url, address, language, as_json))


def recover(
    url: Url,
    what: Annotated[str, typer.Argument(metavar="MAIL|CODE", help=WHAT_HELP)],
    language: LanguageOption = None,
    as_json: Json = False,
) -> None:
    """Come back into an account that has a mail address: ask for a mail, then say its code.

    What you have played as a guest where you ask for it moves there.
    """
    _refuse_personal_token()
    code = code_of(what)
    run(_ask(url, what, language, as_json) if code is None else _recover(url, code, as_json))


def code_of(what: str) -> str | None:
    """Of a link, or the code itself; none for a mail address. Raises BadParameter, which quotes nothing."""
    _, hashed, fragment = what.strip().rpartition("#")
    if not hashed and AT in what:
        return None
    if not SECRET.fullmatch(fragment):
        raise typer.BadParameter("expected a mail address, or the code or link of the mail", param_hint="MAIL|CODE")
    return fragment


async def _link(url: str, address: str, language: Language | None, as_json: bool) -> int:
    async with own_client(url) as client:
        spoken = (await client.profile()).language if language is None else language.value
        sent = await client.send_link(address, spoken)
    _tell_sent("A mail is on its way.", sent, as_json)
    return 0


async def _ask(url: str, address: str, language: Language | None, as_json: bool) -> int:
    async with known_or_nobody(url) as client:
        client.patience_seconds = FIRST_PATIENCE_SECONDS
        profile = None if client.token is None else await client.profile()
        send = client.send_link if profile is not None and profile.kind == "guest" else client.send_recovery
        spoken = Language.ENGLISH.value if profile is None else profile.language
        sent = await send(address, spoken if language is None else language.value)
    _tell_sent("If an account has that address, a mail is on its way.", sent, as_json)
    return 0


async def _recover(url: str, code: str, as_json: bool) -> int:
    async with known_or_nobody(url) as client:
        moved = (await client.use_link(code)).moved
        replace(client)
        profile = await client.profile()
    if as_json:
        typer.echo(json.dumps({**profile.model_dump(mode="json"), "moved": moved}))
        return 0
    typer.echo(f"You are {printable(profile.name)}, kept by {profile.mail}.")
    if moved is not None:
        typer.echo("What you have played here as a guest is this account's now.")
    return 0


def _tell_sent(what: str, sent: LinkSent, as_json: bool) -> None:
    if as_json:
        typer.echo(sent.model_dump_json())
        return
    typer.echo(f"{what} Its link works once, for {sent.seconds // 60} minutes.")
    typer.echo(f"Here, say its code: {typed()} recover CODE")


def _refuse_personal_token() -> None:
    if personal_token() is not None:
        raise typer.BadParameter(
            f"expected no {PERSONAL_TOKEN} in the environment, which says whose every command is",
            param_hint="MAIL|CODE",
        )
