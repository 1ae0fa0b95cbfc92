"""What gateways and operators ask the account service itself, over HTTP inside the cluster, with the inner key.

Every path is below `/inner/v1`, and every request has `Authorization: Bearer <inner key>`. Who asks has been made sure
of by the gateway. Refusals are problem documents (RFC 9457) with a stable code, as `contracts.api.Problem` has them.

Without a body of their own: GET /accounts/{account}/sessions?here={session} -> `contracts.account_api.Sessions`,
DELETE /accounts/{account}/sessions/{session} -> 204, and DELETE /accounts/{account}/sessions?but={session} -> 204,
which ends all sessions, but for the one that is named. Personal tokens are none of them: each is ended by itself.
DELETE /accounts/{account} -> `contracts.account_api.Deleted`, the same when it is repeated; GET
/accounts/{account}/export -> a zip archive. An account that is not there, or no longer, is 404 `unknown-account`.
"""

from typing import Annotated

from pydantic import Field

from contracts.account import AccountState, Avatar, Language, SessionId
from contracts.account_api import (
    Label,
    LinkRequest,
    MailRequest,
    ProgramTokenRequest,
    ReportLine,
    ReportRequest,
    ReportState,
    ReportText,
    Scope,
    Secret,
)
from contracts.message import WITHOUT_NUL, AccountId, CommandId, Message, Region, StrictMessage

NAMES_MAX = 500
"""Of accounts that may be asked for at once."""
RENEWALS_MAX = 200


class Renew(StrictMessage):
    """POST /sessions/renew -> `Signed`, or 401 `bad-secret`. `label`: how the client names itself."""

    secret: Secret
    label: Annotated[str, Field(max_length=60, pattern=WITHOUT_NUL)] = ""


class Signed(Message):
    """`token`: a JWT signed with Ed25519, good for `seconds`. `scopes`: none for a session, which may all.

    Its claims: `iss` (`capicua`), `sub` (the account), `sid` (the session), `region`, `bot`, `house`, `scopes` (of a
    personal token alone), `iat` and `exp`. `iat` has a fraction, to the millisecond, for `AccountState.all_ended_at`.
    """

    account: AccountId
    session: SessionId
    token: str
    seconds: int
    scopes: tuple[Scope, ...] | None = None


class RenewSome(StrictMessage):
    """POST /sessions/renew-some -> `SignedSome`: those who have come at once are asked for at once."""

    renewals: Annotated[tuple[Renew, ...], Field(min_length=1, max_length=RENEWALS_MAX)]


class SignedSome(Message):
    """In the order of what was asked; none: a bad secret."""

    signed: tuple[Signed | None, ...]


class EnterHouse(StrictMessage):
    """POST /house-bots -> `Entered`: the house bot of that number, made where there is none yet, or a new one."""

    region: Region
    number: Annotated[int, Field(ge=1, le=9999)] | None = None


class Entered(Message):
    """A new session of an account. `moved`: the guest that was merged into it just now."""

    state: AccountState
    secret: Secret
    signed: Signed
    moved: AccountId | None = None


class PublicProfile(Message):
    """`merged`: the guests whose matches are this account's now."""

    name: str | None = None
    avatar: Avatar = "6-6"
    bot: bool = False
    merged: tuple[AccountId, ...] = ()


class WhoAre(StrictMessage):
    """POST /profiles -> `TheseAre`."""

    accounts: Annotated[tuple[AccountId, ...], Field(max_length=NAMES_MAX)]


class TheseAre(Message):
    """Those who are not there are unknown or deleted."""

    profiles: dict[AccountId, PublicProfile]


class ChooseName(StrictMessage):
    """PUT /accounts/{account}/name -> `AccountState`. Refused as `bad-name`, `reserved-name` or `too-like-another`."""

    name: Annotated[str, Field(min_length=1, max_length=200)]


class ChangeProfile(StrictMessage):
    """PATCH /accounts/{account} -> `contracts.account_api.Profile`. GET gives it unchanged."""

    avatar: Avatar | None = None
    language: Language | None = None


class MutedAccounts(Message):
    """GET /accounts/{account}/mutes, and PUT and DELETE …/mutes/{other}."""

    accounts: tuple[AccountId, ...]


class SendLink(MailRequest):
    """POST /mail/links -> `contracts.account_api.LinkSent`. `account`: who asks, none: somebody without a session.
    `asked_from`: the network address of whoever asks, by which links are counted; empty: not known.

    `public_url`: where the link leads; none: no address that is known for certain, and the mail has the code alone.
    Refused as 422 `bad-address`, 429 `too-many-links` with Retry-After, 403 `not-for-programs`, 503 `mail-unavailable`.
    """

    account: AccountId | None = None
    region: Region
    asked_from: Annotated[str, Field(max_length=64)] = ""
    public_url: Annotated[str, Field(max_length=300)] | None = None


class UseLink(LinkRequest):
    """POST /mail/links/use -> `Entered`. The account that asked for the link is kept or, if it is a guest, moves; who
    uses it is not asked. Refused as 404 `bad-link`, 410 `link-used` or `link-expired`, and as 409 `too-many-programs`
    where a guest would bring too many along: the link is not used then."""


class MakeToken(StrictMessage):
    """POST /accounts/{account}/tokens -> `contracts.account_api.PersonalToken`. GET lists, DELETE …/{token} ends."""

    id: CommandId
    label: Label
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1)]


class MakeProgram(StrictMessage):
    """POST /accounts/{account}/programs -> `contracts.account_api.Program`. DELETE …/{program} ends one, with its
    account. Refused as 404 `unknown-program`."""

    id: CommandId
    label: Label
    region: Region


class ReplaceProgramToken(ProgramTokenRequest):
    """POST /accounts/{account}/programs/{program}/token -> `contracts.account_api.PersonalToken`. Refused as 404
    `unknown-program`."""


class MakeReport(ReportRequest):
    """POST /accounts/{account}/reports -> `ReportLine`. GET -> `contracts.account_api.Reports`: one's own and those of
    one's merged guests, the newest first, `cursor` and `limit` (1 to 100, 50) as queries.

    Refused as 429 `too-many-reports` with Retry-After; a list as 422 `bad-cursor`.
    """


class OperatorReport(ReportLine):
    """As an operator sees it. `account`: who has reported it, none: somebody whose account has been deleted."""

    account: AccountId | None = None
    page: str | None = None
    person: AccountId | None = None
    taken_by: str | None = None


class OperatorReports(Message):
    """GET /reports?state=&cursor=&limit=, the oldest first."""

    reports: tuple[OperatorReport, ...]
    next: str | None = None


class MoveReport(StrictMessage):
    """POST /reports/{report}/move -> `OperatorReport`: to `taken`, `answered` (with the answer), `closed`, or back to
    `open`. `by`: the operator. Refused as 404 `unknown-report`, or 409 `report-moved` where it is not in a state from
    which that can be done, or another operator has taken it."""

    state: ReportState
    by: Label
    answer: ReportText | None = None
