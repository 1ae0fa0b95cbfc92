"""The inner door: what gateways and operators ask, over HTTP with the inner key."""

import hmac
from collections.abc import Awaitable, Callable, Sequence

from fastapi import APIRouter, FastAPI, Request, Response
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from account import problems
from account.refusals import Code
from bus import telemetry

PREFIX = "/inner/v1"
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

    @door.middleware("http")
    async def with_the_key(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        if not _knows(inner_key, request.headers.get("authorization", "")):
            return problems.answer(Code.WRONG_INNER_KEY, "authorization", "the inner key", "none, or another one")
        header = request.headers.get(telemetry.TRACEPARENT, "").encode()
        parent = telemetry.parse_traceparent([(telemetry.TRACEPARENT, header)])
        span = telemetry.span("inner-request", parent, SpanKind.SERVER, method=request.method)
        with trace.use_span(span, end_on_exit=True, record_exception=False):
            return await go_on(request)

    return door


def _knows(inner_key: str, authorization: str) -> bool:
    """In a time that says nothing of the key."""
    given = authorization[len(_SCHEME) :] if authorization.lower().startswith(_SCHEME) else ""
    return hmac.compare_digest(given.encode(errors="surrogatepass"), inner_key.encode())
