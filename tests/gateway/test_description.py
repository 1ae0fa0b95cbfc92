"""The API's pages and documents: whole, valid, and as they are written in docs/api."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs.api.generate import LOBBY, ROOT, described, generated, known, lobby_codes, main
from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.gateway.routes import all_routes

from contracts.api import FromClient, ToClient
from contracts.message import tags
from gateway import limits
from gateway.api import VERSION
from gateway.codes import Code
from gateway.documented import documented
from gateway.idempotency import HEADER
from gateway.openapi import JSON, name_of

DESCRIPTION = described()
OPENAPI, ASYNCAPI = DESCRIPTION.openapi, DESCRIPTION.asyncapi
OPERATIONS = [
    (f"{method.upper()} {path}", operation)
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
]
by_operation = pytest.mark.parametrize("operation", [found for _, found in OPERATIONS], ids=[n for n, _ in OPERATIONS])
Part = dict[str, Any]


@pytest.mark.parametrize("path", generated(), ids=str)
def test_a_generated_file_is_what_the_generator_writes(path: Path) -> None:
    assert (ROOT / path).read_text() == generated()[path], f"{path} is out of date: run `make api-docs`"


def test_a_check_finds_nothing_to_write() -> None:
    assert main(["--check"]) == 0


def test_what_the_product_serves_is_what_is_written() -> None:
    assert documented() == known()


# ---- HTTP


def test_the_openapi_document_is_one() -> None:
    OpenAPIV31SpecValidator(OPENAPI).validate()
    assert OPENAPI["info"]["version"] == VERSION


def contents(operation: Part) -> Iterator[Part]:
    """Of the body, and of the answers that say that something was done."""
    parts = [operation.get("requestBody", {})]
    parts += [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    yield from (part["content"][JSON] for part in parts if JSON in part.get("content", {}))


@by_operation
def test_every_call_has_an_example_of_what_is_sent_and_of_the_answer(operation: Part) -> None:
    assert operation["description"]
    for content in contents(operation):
        name = name_of(content["schema"])
        assert content["example"] == known().examples[name or ""]
    for parameter in operation.get("parameters", ()):
        assert parameter["in"] != "path" or parameter["example"]


@by_operation
def test_every_call_may_be_refused_by_a_problem(operation: Part) -> None:
    refused = operation["responses"]["default"]["content"]["application/problem+json"]
    assert (name_of(refused["schema"]), refused["example"]["code"]) == ("Problem", refused["example"]["code"])


def test_every_post_takes_a_key_and_nothing_else_does() -> None:
    taking = {name for name, found in OPERATIONS if any(p["name"] == HEADER for p in found.get("parameters", ()))}
    assert taking == {name for name, _ in OPERATIONS if name.startswith("POST ")}


def test_every_route_counts_against_a_limit() -> None:
    unlimited = [
        f"{route.methods} {route.path}"
        for route in all_routes()
        if not any(getattr(found.dependency, "__module__", "") == limits.__name__ for found in route.dependencies)
    ]
    assert unlimited == []


# ---- WebSocket


def test_the_asyncapi_document_is_one() -> None:
    ApplicationSchema.model_validate(ASYNCAPI)
    assert ASYNCAPI["asyncapi"] == "3.0.0"


def test_every_message_of_the_socket_is_there_with_an_example() -> None:
    messages = ASYNCAPI["components"]["messages"]
    assert set(messages) == {*tags(FromClient), *tags(ToClient)}
    for tag, message in messages.items():
        [example] = message["examples"]
        assert example["payload"].get("type", tag) == tag


def test_what_is_sent_and_what_is_told_are_told_apart() -> None:
    operations = dict(ASYNCAPI["operations"])
    told = operations.pop("told")
    assert [name_of(message) for message in told["messages"]] == list(tags(ToClient))
    assert set(operations) == set(tags(FromClient))
    for operation in operations.values():
        assert operation["action"] == "receive"
        assert {name_of(answer) for answer in operation["reply"]["messages"]} <= set(tags(ToClient))


def test_every_reference_leads_somewhere() -> None:
    for document in (ASYNCAPI, OPENAPI):
        for reference in references(document):
            found: Any = document
            for part in reference.removeprefix("#/").split("/"):
                found = found[part]
            assert found


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


# ---- codes


def test_every_code_of_the_gateway_stands_on_the_page_of_codes() -> None:
    page = (ROOT / "docs/api/codes.md").read_text()
    for code in Code:
        assert f"| `{code}` | gateway | {code.why} |" in page


def test_every_refusal_of_the_lobby_stands_there_and_no_other() -> None:
    assert lobby_codes() == set(LOBBY)


def test_the_page_says_all_of_it_and_loads_nothing() -> None:
    page = DESCRIPTION.page
    for name, _ in OPERATIONS:
        assert name in page
    for tag in ASYNCAPI["components"]["messages"]:
        assert f"<code>{tag}</code>" in page
    anchors = re.findall(r"id='([^']+)'", page)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"href='#([^']+)'", page)) <= set(anchors)
    for forbidden in ("<script", "src=", "href='http", "url(", "@import", "style=", "onclick"):
        assert forbidden not in page
