"""The public API as one ASGI application: routes, errors, and its own description."""

from collections.abc import Sequence

from fastapi import APIRouter, Depends, FastAPI, WebSocket
from fastapi.responses import HTMLResponse, RedirectResponse

from gateway import problems
from gateway.body_limit import BodyLimit
from gateway.description import describe_in_html
from gateway.idempotency import Idempotency, Posts
from gateway.identity import Tokens
from gateway.kept_answers import KeptAnswers
from gateway.limits import Limits
from gateway.scope_rule import within_scopes
from gateway.screen_rule import closed_to_screens
from gateway.sockets import Door

VERSION = "1"


def create_api(tokens: Tokens, limits: Limits, kept: KeptAnswers, door: Door, routers: Sequence[APIRouter]) -> FastAPI:
    api = FastAPI(
        title="Capicua",
        version=VERSION,
        summary="Online dominoes: one API for people and programs",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=problems.ANY_PROBLEM,
        dependencies=[Depends(closed_to_screens), Depends(within_scopes)],
        telemetry={"tracing": False, "logs": False},  # a span is a command, not a socket; its logs quote exceptions
    )
    api.state.tokens = tokens
    api.state.limits = limits
    problems.install(api)
    api.add_middleware(Idempotency, posts=Posts(routers), kept=kept, addresses=limits.addresses)
    api.add_middleware(BodyLimit)
    for router in routers:
        api.include_router(router)

    @api.websocket("/v1/ws")
    async def socket(websocket: WebSocket) -> None:
        await door.serve(websocket)

    @api.get("/", include_in_schema=False)
    async def front_door() -> RedirectResponse:
        return RedirectResponse("/v1/docs")

    @api.get("/v1/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(describe_in_html(api.openapi()))

    return api
