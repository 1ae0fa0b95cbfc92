"""What goes over the public API about accounts: sessions, mail, profile, tokens, reports."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.account import Avatar, Kind, Language, SessionId
from contracts.message import WITHOUT_NUL, AccountId, CommandId, Message, Milliseconds, StrictMessage, TableId

Secret = Annotated[str, Field(min_length=16, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")]
MailAddress = Annotated[str, Field(min_length=3, max_length=254)]
Scope = Literal["play", "rooms", "account"]
"""`play`: queue, tables and the socket. `rooms`: private rooms and talk. `account`: profile and mutes; never mail,
sessions, tokens, export or deletion, which only a session may ask for."""
SCOPES: tuple[Scope, ...] = ("play", "rooms", "account")
PERSONAL_TOKENS_MAX = 20
PROGRAMS_MAX = 10
Label = Annotated[str, Field(min_length=1, max_length=60, pattern=WITHOUT_NUL)]
ReportText = Annotated[str, Field(min_length=1, max_length=2000, pattern=WITHOUT_NUL)]
Place = Literal["page", "table", "replay", "room", "person"]
ReportState = Literal["open", "taken", "answered", "closed"]


# ---- sessions


class RenewRequest(StrictMessage):
    """`secret`: of a session, or a personal token."""

    secret: Secret


class Access(Message):
    """`token` proves the account for `seconds`; renew it before it runs out."""

    account: AccountId
    session: SessionId
    token: str
    seconds: int


class SessionLine(Message):
    """`label`: how its client named itself. `here`: the session that asks."""

    session: SessionId
    made_at: Milliseconds
    used_at: Milliseconds
    label: str = ""
    here: bool = False


class Sessions(Message):
    """All of them, the newest used first: fifty at most."""

    sessions: tuple[SessionLine, ...]


# ---- mail: keeping an account, and recovering it


class MailRequest(StrictMessage):
    """A link is sent there. Asked by a session, it keeps that session's account, or moves it to the account that has
    this address; asked without one, it recovers that account. The answer never says whether the address is known."""

    address: MailAddress
    language: Language = "en"


class LinkSent(Message):
    """`seconds`: how long the link is good. It works once."""

    seconds: int


class LinkRequest(StrictMessage):
    """`code`: of the link."""

    code: Secret
    label: Annotated[str, Field(max_length=60, pattern=WITHOUT_NUL)] = ""


class Recovered(Message):
    """A new session of the kept account. `moved`: the guest whose matches and styles are this account's now."""

    account: AccountId
    secret: Secret
    access: Access
    moved: AccountId | None = None


# ---- profile


class Profile(Message):
    """`mail`: the address with most of it hidden (`a…@example.org`), none: nothing to recover the account by."""

    account: AccountId
    kind: Kind
    name: str
    avatar: Avatar
    language: Language
    mail: str | None = None
    programs: tuple[AccountId, ...] = ()


class ProfileRequest(StrictMessage):
    """What is given is changed. The name has its own way: `PUT /v1/me/name`."""

    avatar: Avatar | None = None
    language: Language | None = None


# ---- personal tokens and programs


class TokenRequest(StrictMessage):
    """`id`: repeated, the same token is made once, and its secret is not said again."""

    id: CommandId
    label: Label
    scopes: tuple[Scope, ...] = ("play",)


class PersonalToken(Message):
    """`secret` is said once, when it is made."""

    token: SessionId
    label: str
    scopes: tuple[Scope, ...]
    made_at: Milliseconds
    used_at: Milliseconds | None = None
    secret: Secret | None = None


class PersonalTokens(Message):
    tokens: tuple[PersonalToken, ...]


class ProgramRequest(StrictMessage):
    """A declared bot of yours, with an account and a token of its own."""

    id: CommandId
    label: Label


class ProgramTokenRequest(StrictMessage):
    """A new token of a program, instead of those that it had. `id` as in a `TokenRequest`."""

    id: CommandId


class Program(Message):
    account: AccountId
    token: PersonalToken


# ---- deletion


class DeleteRequest(StrictMessage):
    """`confirm`: the id of your account, so that nobody deletes it by mistake."""

    confirm: AccountId


class Deleted(Message):
    """History keeps `pseudonym`, by which nobody can tell who it was."""

    pseudonym: str


# ---- reports


class ReportRequest(StrictMessage):
    """A problem on a page, at a table (with the version that you saw), in a replay or a room, or with a person."""

    id: CommandId
    place: Place
    text: ReportText
    page: Annotated[str, Field(max_length=200, pattern=WITHOUT_NUL)] | None = None
    table_id: TableId | None = None
    version: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    person: AccountId | None = None


class ReportLine(Message):
    """`answer`: what a person of ours has written back."""

    report: str
    place: Place
    text: str
    state: ReportState
    made_at: Milliseconds
    table_id: TableId | None = None
    version: int | None = None
    answer: str | None = None
    answered_at: Milliseconds | None = None


class Reports(Message):
    """A page of them, the newest first; `next` is the `cursor` of the page that follows."""

    reports: tuple[ReportLine, ...]
    next: str | None = None
