"""Who sends an HTTP request: the bearer token, read for every route that needs to know."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gateway.codes import Code
from gateway.identity import BadToken, Identity, Tokens
from gateway.problems import problem

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
        expected, headers = "a token of this service", {"WWW-Authenticate": "Bearer"}
        raise problem(401, Code.BAD_TOKEN, "authorization", expected, str(bad), headers=headers) from None


Asker = Annotated[Identity, Depends(_identify)]
