"""Every HTTP error of the gateway as a problem document (RFC 9457) with a stable code."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from bus import telemetry
from contracts.api import Problem
from gateway.codes import Code
from gateway.validation import expectation, kind_of_input

MEDIA_TYPE = "application/problem+json"
ANY_PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {"description": "What was wrong", "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}}}
}
_CODES = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}


class ProblemError(Exception):
    """Ends a request with a problem document."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        expected: str = "",
        got: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        title = HTTPStatus(status).phrase
        self.problem = Problem(title=title, status=status, code=code, detail=detail, expected=expected, got=got)
        self.headers = headers


def problem(
    status: int, code: Code, what: str, expected: str, got: str, *, headers: Mapping[str, str] | None = None
) -> ProblemError:
    """To raise: `what` is the part of the request that is wrong."""
    detail = f"{what}: expected {expected}, got {got}"
    return ProblemError(status, code, detail, expected=expected, got=got, headers=headers)


def answer(document: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    telemetry.requests_refused.add(1, {telemetry.CODE: document.code})
    return JSONResponse(document.model_dump(), document.status, headers, MEDIA_TYPE)


async def _of_ours(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return answer(error.problem, error.headers)


async def _of_validation(_: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong, without the input: it may hold a key."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    path = first["loc"][:1] if first["type"] == "json_invalid" else first["loc"]
    where = ".".join(str(part) for part in path)
    return answer(problem(422, Code.BAD_REQUEST, where, expectation(first), kind_of_input(first)).problem)


async def _of_starlette(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if (
        error.status_code == 400
    ):  # a body with faulty grammar is of validation; here are wrong bytes, and what Python will not read
        expected = "JSON in UTF-8 without extreme numbers or nesting"
        return answer(problem(422, Code.BAD_REQUEST, "body", expected, "something else").problem)
    code = _CODES.get(error.status_code, Code.BAD_REQUEST)
    got = f"{request.method} {request.url.path}"
    expected = "a path and method of /v1/openapi.json"
    return answer(problem(error.status_code, code, "request", expected, got).problem, error.headers)


async def _of_bugs(_: Request, __: Exception) -> JSONResponse:
    return answer(ProblemError(500, Code.INTERNAL, "something went wrong here; it has been noted").problem)


def install(app: FastAPI) -> None:
    """Every error response of `app` is a problem document from here on."""
    app.add_exception_handler(ProblemError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_starlette)
    app.add_exception_handler(Exception, _of_bugs)
