"""Every answer that is no success, as a problem document (RFC 9457) with a stable code."""

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from account.refusals import Code, Refused
from bus import telemetry
from bus.postgres import DatabaseAway
from contracts.api import Problem

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_CODES = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}


def answer(code: Code, what: str, expected: str, got: str, headers: dict[str, str] | None = None) -> JSONResponse:
    telemetry.requests_refused.add(1, {telemetry.CODE: code.value})
    detail = f"{what}: expected {expected}, got {got}" if expected else what
    title = HTTPStatus(code.status).phrase
    problem = Problem(title=title, status=code.status, code=code.value, detail=detail, expected=expected, got=got)
    return JSONResponse(problem.model_dump(), code.status, headers, MEDIA_TYPE)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return answer(error.code, error.what, error.expected, error.got, error.headers)


async def _malformed(_: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong, without the input: it may be a secret, or somebody's address."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return answer(Code.BAD_REQUEST, where, f"what `contracts` say ({first['type']})", "something else")


async def _of_starlette(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, Code.BAD_REQUEST)
    return answer(code, "request", "a path and method of the inner door", f"another {request.method}")


async def _database_away(_: Request, error: Exception) -> JSONResponse:
    log.warning("a request could not be answered: the database is away (%s)", error)
    return answer(Code.ACCOUNTS_UNAVAILABLE, "database", "an answer", "none", {"Retry-After": "2"})


async def _of_bugs(_: Request, __: Exception) -> JSONResponse:
    return answer(Code.INTERNAL, Code.INTERNAL.why, "", "")


def install(app: FastAPI) -> None:
    """Every error response of `app` is a problem document from here on."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _of_starlette)
    app.add_exception_handler(DatabaseAway, _database_away)
    app.add_exception_handler(Exception, _of_bugs)
