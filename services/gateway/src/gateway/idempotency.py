"""`Idempotency-Key` on every POST (draft-ietf-httpapi-idempotency-key-header): what is sent twice is done once.

Where a body has an `id` the header is the same thing, and its command has one effect and one answer. Elsewhere an
answer that says that something was done is kept for a day, by session or address and key, and given again; a renewed
token while it is good.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.body_limit import receiving
from gateway.client_address import ClientAddress
from gateway.codes import Code
from gateway.http_identity import identity_of
from gateway.identity import ACCESS_SECONDS_MAX, BadToken, SessionEnded
from gateway.kept_answers import (
    KEPT_SECONDS,
    KeepingUnavailable,
    KeptAnswer,
    KeptAnswers,
    OtherRequest,
    Question,
    UnderWay,
)
from gateway.problems import ProblemError, answer, problem

HEADER = "Idempotency-Key"
KEY = re.compile(r"[A-Za-z0-9._-]{1,64}")
CHARACTERS_MIN = 16
"""Of a key by which an answer is kept: people behind one address do not meet by chance, and none can be guessed."""
KEPT_FOR_LESS = {"POST /v1/session/renew": ACCESS_SECONDS_MAX}
"""Answers of no use after so many seconds, of which one asker may have very many in a day."""
SYNTAX = "1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'"


class Posts:
    """All routes that take a POST, and which of them have an `id` in the body."""

    def __init__(self, routers: Iterable[APIRouter]) -> None:
        routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
        self._routes = [route for route in routes if route.methods is not None and "POST" in route.methods]

    def route(self, scope: Scope) -> APIRoute | None:
        """Which one is asked."""
        return next((route for route in self._routes if route.matches(scope)[0] is Match.FULL), None)


def has_id(route: APIRoute) -> bool:
    """Whether the body of this route has an `id`."""
    return any("id" in getattr(body.field_info.annotation, "model_fields", {}) for body in route.dependant.body_params)


class Idempotency:
    """ASGI middleware, inside `BodyLimit`: the whole body is here already."""

    def __init__(self, app: ASGIApp, posts: Posts, kept: KeptAnswers, addresses: ClientAddress) -> None:
        self._app = app
        self._posts = posts
        self._kept = kept
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._posts.route(scope) if scope["type"] == "http" and scope["method"] == "POST" else None
        if route is None:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        keys = request.headers.getlist(HEADER)
        if not keys:
            await self._app(scope, receive, send)
            return
        try:
            if len(keys) > 1 or not KEY.fullmatch(keys[0]):
                raise problem(422, Code.BAD_IDEMPOTENCY_KEY, HEADER, SYNTAX, "something else")
            if has_id(route):
                body = _with_id(await request.body(), keys[0])
                await self._app(scope, receiving(body, receive), send)
            else:
                await self._once(request, keys[0], send)
        except ProblemError as error:
            await answer(error.problem, error.headers)(scope, receive, send)

    async def _once(self, request: Request, key: str, send: Send) -> None:
        """Raises the problems `bad-idempotency-key`, `idempotency-key-reused`, `idempotency-under-way` and
        `idempotency-unavailable`."""
        if len(key) < CHARACTERS_MIN:
            expected = f"at least {CHARACTERS_MIN} characters, made by chance"
            raise problem(422, Code.BAD_IDEMPOTENCY_KEY, HEADER, expected, f"{len(key)}")
        question = Question(self._asker(request), f"POST {request.url.path}", key, await request.body())
        try:
            given = await self._kept.begin(question)
        except OtherRequest:
            expected = "a key of its own for each request"
            raise problem(422, Code.IDEMPOTENCY_KEY_REUSED, HEADER, expected, "that of another one") from None
        except UnderWay:
            expected, headers = "an end of the first request", {"Retry-After": "1"}
            raise problem(409, Code.IDEMPOTENCY_UNDER_WAY, HEADER, expected, "none yet", headers=headers) from None
        except KeepingUnavailable:
            raise _unavailable() from None
        if given is None:
            await self._answer(question, request, send)
        else:
            await self._again(given)(request.scope, request.receive, send)

    async def _answer(self, question: Question, request: Request, send: Send) -> None:
        """For the first time. The answer is kept before it is sent; what says that nothing was done is not."""
        messages: list[Message] = []

        async def note(message: Message) -> None:
            messages.append(message)

        try:
            await self._app(request.scope, receiving(question.body, request.receive), note)
        finally:
            await self._keep(question, messages)
        for message in messages:
            await send(message)

    async def _keep(self, question: Question, messages: list[Message]) -> None:
        status, headers, body = _of(messages)
        try:
            if 200 <= status < 300:
                kind, seconds = headers.get(b"content-type", b""), KEPT_FOR_LESS.get(question.where, KEPT_SECONDS)
                await self._kept.keep(question, status, kind.decode("latin-1"), body, seconds)
            else:
                await self._kept.forget(question)
        except KeepingUnavailable:
            pass  # it is noted as under way, and can be asked again in a minute

    def _again(self, given: KeptAnswer) -> Response:
        headers = {"Age": str(self._kept.age(given)), "Idempotency-Replayed": "true"}
        return Response(given.body, given.status, headers, given.content_type)

    def _asker(self, request: Request) -> str:
        """A session or personal token of an account, or, for whoever has none, an address: what a session is told is
        not for a token, which may ask less. Whose session has ended by the request, and who has heard nothing of it,
        asks again for the same answer."""
        try:
            identity = identity_of(request)
        except SessionEnded as ended:
            identity = ended.was
        except BadToken:
            identity = None
        if identity is None:
            return f"address {self._addresses.of(request)}"
        return f"account {identity.account} {identity.session or ''}"


def _with_id(body: bytes, key: str) -> bytes:
    """The body with the key as its `id`; one that is no JSON object is left to whoever reads it. Raises the problem
    `idempotency-key-differs`."""
    try:
        content: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(content, dict):
        return body
    if "id" not in content:
        return json.dumps(content | {"id": key}).encode()
    if content["id"] != key:
        raise problem(422, Code.IDEMPOTENCY_KEY_DIFFERS, HEADER, "the id of the body", "another one")
    return body


def _of(messages: list[Message]) -> tuple[int, dict[bytes, bytes], bytes]:
    """An answer's status, headers and body; a status of 0 where there was none."""
    if not messages:
        return 0, {}, b""
    head, *parts = messages
    return head["status"], dict(head["headers"]), b"".join(part.get("body", b"") for part in parts)


def _unavailable() -> ProblemError:
    expected, headers = "a place to look the key up", {"Retry-After": "1"}
    got = "no answer: nothing was done, try again"
    return problem(503, Code.IDEMPOTENCY_UNAVAILABLE, HEADER, expected, got, headers=headers)
