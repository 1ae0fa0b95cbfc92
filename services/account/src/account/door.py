"""The inner door: what gateways and operators ask, over HTTP with the inner key."""

import hmac
from collections.abc import Sequence

from fastapi import APIRouter, FastAPI
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from account import problems
from account.refusals import Code
from account.turns import TurnNeverCame, Turns
from bus import telemetry

PREFIX = "/inner/v1"
_ACCOUNTS = f"{PREFIX}/accounts/"
_SCHEME = "bearer "


def create_door(inner_key: str, routers: Sequence[APIRouter]) -> FastAPI:
    """`routers` have their paths below `PREFIX`."""
    door = FastAPI(
        title="Capicua accounts",
        openapi_url=None,
        telemetry={"tracing": False, "logs": False},  # its logs quote exceptions; spans are opened here
    )
    problems.install(door)
    for router in routers:
        door.include_router(router, prefix=PREFIX)
    door.add_middleware(_WithTheKey, inner_key=inner_key)
    return door


class _WithTheKey:
    """ASGI middleware: nobody else gets in, and of one account a few at once."""

    def __init__(self, app: ASGIApp, inner_key: str) -> None:
        self._app = app
        self._inner_key = inner_key
        self._turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not _knows(self._inner_key, headers.get("authorization", "")):
            refused = problems.answer(Code.WRONG_INNER_KEY, "authorization", "the inner key", "none, or another one")
            await refused(scope, receive, send)
            return
        parent = telemetry.parse_traceparent([(telemetry.TRACEPARENT, headers.get(telemetry.TRACEPARENT, "").encode())])
        span = telemetry.span("inner-request", parent, SpanKind.SERVER, method=scope["method"])
        with trace.use_span(span, end_on_exit=True, record_exception=False):
            await self._in_turn(scope, receive, send)

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        account = _account_of(scope["path"])
        if account is None:
            await self._app(scope, receive, send)
            return
        try:
            async with self._turns.of(account):
                await self._app(scope, receive, send)
        except TurnNeverCame:
            retry = {"Retry-After": "2"}
            busy = problems.answer(Code.ACCOUNTS_UNAVAILABLE, "account", "a turn in time", "none", retry)
            await busy(scope, receive, send)


def _account_of(path: str) -> str | None:
    """Whose path it is."""
    return path[len(_ACCOUNTS) :].partition("/")[0] if path.startswith(_ACCOUNTS) else None


def _knows(inner_key: str, authorization: str) -> bool:
    """In a time that says nothing of the key."""
    given = authorization[len(_SCHEME) :] if authorization.lower().startswith(_SCHEME) else ""
    return hmac.compare_digest(given.encode(errors="surrogatepass"), inner_key.encode())
