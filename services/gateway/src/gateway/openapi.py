"""The OpenAPI document: what FastAPI knows of the routes, and besides an example for every call."""

import copy
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from contracts.api import Problem
from gateway.documented import Documented
from gateway.idempotency import CHARACTERS_MIN, HEADER
from gateway.problems import MEDIA_TYPE

TEXT = """Come in as a guest (`POST /v1/guests`), send its token with every request as `Authorization: Bearer …`, and
renew it (`POST /v1/session/renew`) before it runs out. Play goes over one WebSocket, described by `/v1/asyncapi.json`.

Errors are problem documents (RFC 9457, `application/problem+json`) with a stable `code`; `expected` and `got` say what
was wrong. Over a limit: 429, and `Retry-After` says when to come again. Every POST takes an `Idempotency-Key`: sent
twice, it is done once. Lists come in pages: `next` is the `cursor` of the page that follows. Pages of any origin may
ask (CORS); there are no cookies."""
KEY: dict[str, Any] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9._-]+$"},
    "description": "Sent again with the same key, it is done once. Where the body has an `id` this is the same thing, "
    f"and may stand in its place. Elsewhere it has {CHARACTERS_MIN} characters at least, made by chance; the answer is "
    "kept for a day, a renewed token for ten minutes, and given again with `Idempotency-Replayed: true`.",
    "example": "8f14e45f-ceea-4c5b-9d3a-3f0d6b2c7a10",
}
JSON = "application/json"


def openapi_of(api: FastAPI, known: Documented) -> dict[str, Any]:
    """All of it; `api` has all its routes."""
    document = copy.deepcopy(FastAPI.openapi(api))
    document["info"]["description"] = TEXT
    document["components"]["schemas"][Problem.__name__] = Problem.model_json_schema()
    for method, operation in operations(document):
        if method == "post":
            operation.setdefault("parameters", []).append(KEY)
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                parameter["example"] = known.parameters[parameter["name"]]
        for content in _contents(operation):
            example = known.examples.get(name_of(content.get("schema", {})) or "")
            if example is not None:
                content["example"] = example
        refused = operation["responses"]["default"]["content"][MEDIA_TYPE]
        refused |= {"schema": {"$ref": "#/components/schemas/Problem"}, "example": known.examples[Problem.__name__]}
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each with its method."""
    for methods in document["paths"].values():
        yield from methods.items()


def name_of(schema: dict[str, Any]) -> str | None:
    """The name of the message that a schema refers to."""
    reference: str = schema.get("$ref", "")
    return reference.rpartition("/")[2] or None


def _contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    parts = [operation.get("requestBody", {}), *operation["responses"].values()]
    for part in parts:
        if JSON in part.get("content", {}):
            yield part["content"][JSON]
