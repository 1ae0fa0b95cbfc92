"""Who sends an HTTP request: the bearer token, read once for every part that needs to know."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from gateway.codes import Code
from gateway.identity import BadToken, Identity, SessionEnded, Tokens
from gateway.problems import ProblemError, problem

_bearer = HTTPBearer(auto_error=False, description="the token of `POST /v1/guests` or `POST /v1/session/renew`")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
"""What the API's description says of a route; `identity_of` reads the header itself."""


def identity_of(connection: HTTPConnection) -> Identity | None:
    """Whose bearer token the request has, None for one without any. Raises `BadToken`."""
    if not hasattr(connection.state, "identity"):
        connection.state.identity = _read(connection)
    found: Identity | BadToken | None = connection.state.identity
    if isinstance(found, BadToken):
        raise found
    return found


def _read(connection: HTTPConnection) -> Identity | BadToken | None:
    tokens: Tokens = connection.app.state.tokens
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    try:
        return tokens.read(token.strip())
    except BadToken as bad:
        return bad


async def _anybody(request: Request, _: Credentials) -> Identity | None:
    """Raises the problem `bad-token`."""
    try:
        return identity_of(request)
    except BadToken as bad:
        raise bad_token(str(bad)) from None


async def _anybody_or_ended(request: Request, _: Credentials) -> None:
    """Raises the problem `bad-token`."""
    try:
        identity_of(request)
    except SessionEnded:
        return
    except BadToken as bad:
        raise bad_token(str(bad)) from None


async def _somebody(asker: Annotated[Identity | None, Depends(_anybody)]) -> Identity:
    """Raises the problem `bad-token`."""
    if asker is None:
        raise bad_token("no bearer token")
    return asker


def bad_token(got: str) -> ProblemError:
    headers = {"WWW-Authenticate": "Bearer"}
    return problem(401, Code.BAD_TOKEN, "authorization", "a token of this service", got, headers=headers)


Asker = Annotated[Identity, Depends(_somebody)]
MaybeAsker = Annotated[Identity | None, Depends(_anybody)]
"""None: somebody without a token."""
MAYBE_ENDED = Depends(_anybody_or_ended)
"""Of a route that needs no token, and takes none that is bad, but for one whose session has ended."""
