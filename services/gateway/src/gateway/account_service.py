"""What the gateway asks the account service, over HTTP inside the cluster: see `contracts.account_inner`.

By httpx, which the SDK is built on too: one connection pool with bounds in time and number.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from contracts.account import AccountState
from contracts.account_api import (
    Deleted,
    LinkSent,
    PersonalToken,
    PersonalTokens,
    Profile,
    Program,
    ReportLine,
    Reports,
    Sessions,
)
from contracts.account_inner import (
    ChangeProfile,
    ChooseName,
    Entered,
    EnterHouse,
    MakeProgram,
    MakeReport,
    MakeToken,
    MutedAccounts,
    PublicProfile,
    Renew,
    RenewSome,
    ReplaceProgramToken,
    SendLink,
    Signed,
    SignedSome,
    TheseAre,
    UseLink,
    WhoAre,
)
from contracts.api import Problem
from gateway.codes import Code
from gateway.http_identity import bad_token
from gateway.problems import ProblemError

log = logging.getLogger(__name__)

SECONDS_MAX = 3.0
CONNECT_SECONDS_MAX = 1.0
EXPORT_SECONDS_MAX = 20.0
CONNECTIONS_MAX = 64
IDLE_SECONDS = 2.0
"""Shorter than the other end keeps a connection that nobody uses: none is taken that is just being closed."""
RETRY_AFTER_SECONDS = 2
PASSED_ON = frozenset({"mail-unavailable"})
"""Of the refusals that are no mistake of the client's."""
WRONG_KEY, GONE = "wrong-inner-key", "unknown-account"
Answer = TypeVar("Answer", bound=BaseModel)
Query = Mapping[str, str | int | None]


class AccountsAway(ProblemError):
    """The account service does not answer, or not in time: what was asked for may have been done."""

    def __init__(self) -> None:
        detail = "accounts: expected an answer of the account service, got none: try again"
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
        expected, got = "an answer of the account service", "none: try again"
        super().__init__(503, Code.ACCOUNTS_UNAVAILABLE, detail, expected=expected, got=got, headers=headers)


class AccountService:
    """Every question raises `AccountsAway`, or the refusal as a problem with the code that the service gave it."""

    def __init__(self, url: str, inner_key: str) -> None:
        self._client = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/inner/v1",
            headers={"Authorization": f"Bearer {inner_key}"},
            timeout=httpx.Timeout(SECONDS_MAX, connect=CONNECT_SECONDS_MAX),
            limits=httpx.Limits(
                max_connections=CONNECTIONS_MAX,
                max_keepalive_connections=CONNECTIONS_MAX,
                keepalive_expiry=IDLE_SECONDS,
            ),
            trust_env=False,
        )

    async def close(self) -> None:
        await self._client.aclose()

    # ---- sessions

    async def renew(self, wanted: Renew) -> Signed:
        return await self._ask("POST", "/sessions/renew", Signed, wanted)

    async def renew_some(self, wanted: Sequence[Renew]) -> Sequence[Signed | None]:
        """`contracts.account_inner.RENEWALS_MAX` at most, in their order; none: a bad secret."""
        return (await self._ask("POST", "/sessions/renew-some", SignedSome, RenewSome(renewals=tuple(wanted)))).signed

    async def enter_house(self, wanted: EnterHouse) -> Entered:
        return await self._ask("POST", "/house-bots", Entered, wanted)

    async def sessions(self, account: str, here: str | None) -> Sessions:
        return await self._ask("GET", f"/accounts/{account}/sessions", Sessions, query={"here": here})

    async def end_session(self, account: str, session: str) -> None:
        await self._request("DELETE", f"/accounts/{account}/sessions/{session}")

    async def end_all(self, account: str, but: str | None) -> None:
        await self._request("DELETE", f"/accounts/{account}/sessions", query={"but": but})

    # ---- who somebody is

    async def profiles(self, accounts: Sequence[str]) -> Mapping[str, PublicProfile]:
        """`contracts.account_inner.NAMES_MAX` at most; those who are not there are left out."""
        return (await self._ask("POST", "/profiles", TheseAre, WhoAre(accounts=tuple(accounts)))).profiles

    async def choose_name(self, account: str, name: str) -> AccountState:
        return await self._ask("PUT", f"/accounts/{account}/name", AccountState, ChooseName(name=name))

    async def profile(self, account: str) -> Profile:
        return await self._ask("GET", f"/accounts/{account}", Profile)

    async def change_profile(self, account: str, wanted: ChangeProfile) -> Profile:
        return await self._ask("PATCH", f"/accounts/{account}", Profile, wanted)

    async def muted(self, account: str) -> frozenset[str]:
        return frozenset((await self._ask("GET", f"/accounts/{account}/mutes", MutedAccounts)).accounts)

    async def mute(self, account: str, other: str) -> frozenset[str]:
        return frozenset((await self._ask("PUT", f"/accounts/{account}/mutes/{other}", MutedAccounts)).accounts)

    async def hear_again(self, account: str, other: str) -> frozenset[str]:
        return frozenset((await self._ask("DELETE", f"/accounts/{account}/mutes/{other}", MutedAccounts)).accounts)

    # ---- mail

    async def send_link(self, wanted: SendLink) -> LinkSent:
        return await self._ask("POST", "/mail/links", LinkSent, wanted)

    async def use_link(self, wanted: UseLink) -> Entered:
        return await self._ask("POST", "/mail/links/use", Entered, wanted)

    # ---- tokens and programs

    async def tokens(self, account: str) -> PersonalTokens:
        return await self._ask("GET", f"/accounts/{account}/tokens", PersonalTokens)

    async def make_token(self, account: str, wanted: MakeToken) -> PersonalToken:
        return await self._ask("POST", f"/accounts/{account}/tokens", PersonalToken, wanted)

    async def end_token(self, account: str, token: str) -> None:
        await self._request("DELETE", f"/accounts/{account}/tokens/{token}")

    async def make_program(self, account: str, wanted: MakeProgram) -> Program:
        return await self._ask("POST", f"/accounts/{account}/programs", Program, wanted)

    async def replace_program_token(self, account: str, program: str, wanted: ReplaceProgramToken) -> PersonalToken:
        return await self._ask("POST", f"/accounts/{account}/programs/{program}/token", PersonalToken, wanted)

    async def end_program(self, account: str, program: str) -> None:
        await self._request("DELETE", f"/accounts/{account}/programs/{program}")

    # ---- what belongs to a person

    async def delete(self, account: str) -> Deleted:
        return await self._ask("DELETE", f"/accounts/{account}", Deleted)

    async def export(self, account: str) -> bytes:
        """A zip archive."""
        return (await self._request("GET", f"/accounts/{account}/export", seconds_max=EXPORT_SECONDS_MAX)).content

    async def report(self, account: str, wanted: MakeReport) -> ReportLine:
        return await self._ask("POST", f"/accounts/{account}/reports", ReportLine, wanted)

    async def reports(self, account: str, cursor: str | None, limit: int | None) -> Reports:
        query = {"cursor": cursor, "limit": limit}
        return await self._ask("GET", f"/accounts/{account}/reports", Reports, query=query)

    # ---- the wire

    async def _ask(
        self, method: str, path: str, answer: type[Answer], body: BaseModel | None = None, query: Query | None = None
    ) -> Answer:
        response = await self._request(method, path, body, query)
        try:
            return answer.model_validate_json(response.content)
        except ValidationError:
            log.error("an answer of the account service cannot be read", extra={"fields": {"wanted": answer.__name__}})
            raise AccountsAway from None

    async def _request(
        self,
        method: str,
        path: str,
        body: BaseModel | None = None,
        query: Query | None = None,
        seconds_max: float = SECONDS_MAX,
    ) -> httpx.Response:
        content = body.model_dump_json(exclude_none=True).encode() if body is not None else None
        headers = {"Content-Type": "application/json"} if body is not None else {}
        given = {name: value for name, value in (query or {}).items() if value is not None}
        timeout = httpx.Timeout(seconds_max, connect=CONNECT_SECONDS_MAX)
        try:
            response = await self._client.request(
                method, path, params=given, content=content, headers=headers, timeout=timeout
            )
        except (httpx.HTTPError, OSError) as error:
            log.warning("the account service does not answer", extra={"fields": {"error": type(error).__name__}})
            raise AccountsAway from None
        if response.is_success:
            return response
        raise refusal(response)


def refusal(response: httpx.Response) -> ProblemError:
    """What an answer that is none comes to."""
    try:
        found = Problem.model_validate_json(response.content)
    except ValidationError:
        found = None
    if found is None or not _is_an_answer(response.status_code, found.code):
        fields = {"status": response.status_code, "code": found.code if found is not None else None}
        log.error("the account service refuses to answer", extra={"fields": fields})
        return AccountsAway()
    if found.code == GONE:
        return bad_token("a token of an account that is no more")
    headers = {name: value for name, value in response.headers.items() if name.lower() == "retry-after"}
    return ProblemError(
        response.status_code, found.code, found.detail, expected=found.expected, got=found.got, headers=headers
    )


def _is_an_answer(status: int, code: str) -> bool:
    """Or else trouble, about which only operators can do something."""
    return (400 <= status < 500 and code != WRONG_KEY) or code in PASSED_ON
