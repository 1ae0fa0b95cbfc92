"""The public API as one ASGI application: routes, errors, and its own description."""

from collections.abc import Sequence

from fastapi import APIRouter, Depends, FastAPI, Request, Response, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse

from gateway import problems
from gateway.body_limit import BodyLimit
from gateway.codes import Code
from gateway.description import POLICY, Description
from gateway.documented import documented
from gateway.idempotency import Idempotency, Posts
from gateway.identity import Tokens
from gateway.kept_answers import KeptAnswers
from gateway.limits import EVERYTHING, SOCKETS, Limits, count_address
from gateway.problems import ProblemError, problem
from gateway.scope_rule import within_scopes
from gateway.screen_rule import closed_to_screens
from gateway.sockets import Door
from gateway.web_client import WebClient

VERSION = "1"


def create_api(
    tokens: Tokens, limits: Limits, kept: KeptAnswers, door: Door, client: WebClient, routers: Sequence[APIRouter]
) -> FastAPI:
    api = FastAPI(
        title="Capicua",
        version=VERSION,
        summary="Online dominoes: one API for people and programs",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would lead to whatever host a request names, and out of HTTPS behind a proxy
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
        try:
            await count_address(websocket, SOCKETS, EVERYTHING)
        except ProblemError as error:
            await websocket.send_denial_response(problems.answer(error.problem, error.headers))
        else:
            await door.serve(websocket)

    @api.websocket("/{path:path}")
    async def no_socket(websocket: WebSocket) -> None:
        error = problem(404, Code.NOT_FOUND, "request", "the socket of /v1/asyncapi.json", websocket.url.path)
        await websocket.send_denial_response(problems.answer(error.problem))

    _describe(api)
    client.install(api)
    return api


def _describe(api: FastAPI) -> None:
    """The pages about it, for everybody."""
    description = Description(api, documented())

    async def page(_: Request) -> Response:
        return HTMLResponse(description.page, headers={"Content-Security-Policy": POLICY})

    async def openapi(_: Request) -> Response:
        return JSONResponse(description.openapi)

    async def asyncapi(_: Request) -> Response:
        return JSONResponse(description.asyncapi)

    for path, answer in {"docs": page, "openapi.json": openapi, "asyncapi.json": asyncapi}.items():
        api.add_route(f"/v1/{path}", answer, ["GET"], include_in_schema=False)
