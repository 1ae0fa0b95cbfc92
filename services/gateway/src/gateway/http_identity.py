"""Who sends an HTTP request: the bearer token, read for every route that needs to know."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gateway.identity import BadToken, Identity, Tokens
from gateway.problems import ProblemError

_bearer = HTTPBearer(auto_error=False, description="the token of POST /v1/guests")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


async def _identify(request: Request, credentials: Credentials) -> Identity:
    """Raises the problem `bad-token`."""
    tokens: Tokens = request.app.state.tokens
    try:
        if credentials is None:
            raise BadToken("no bearer token")
        return tokens.read(credentials.credentials)
    except BadToken as bad:
        expected, got = "a token of this service", str(bad)
        detail = f"authorization: expected {expected}, got {got}"
        headers = {"WWW-Authenticate": "Bearer"}
        raise ProblemError(401, "bad-token", detail, expected=expected, got=got, headers=headers) from None


Asker = Annotated[Identity, Depends(_identify)]
