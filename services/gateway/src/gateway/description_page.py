"""One page of HTML that says all of the API, without a script and without anything from elsewhere."""

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from gateway.documented import DocumentedCode
from gateway.idempotency import HEADER
from gateway.openapi import JSON, name_of

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f4f5f6;padding:.75rem;overflow:auto;border-radius:6px}
h3 code{background:#e7f0ea;padding:.15rem .4rem;border-radius:4px}summary{cursor:pointer}
th{text-align:left}td,th{vertical-align:top;padding:.1rem .6rem .1rem 0}
ul{columns:2 24rem;padding-left:1rem}details pre{scroll-margin-top:3rem}
"""


def page_of(openapi: dict[str, Any], asyncapi: dict[str, Any], codes: Iterable[DocumentedCode]) -> str:
    """The whole page."""
    meta = "<meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    info = openapi["info"]
    parts = [
        f"<!doctype html><html lang='en'>{meta}<title>Capicua API</title><style>{STYLE}</style>",
        f"<h1>Capicua API v{escape(info['version'])}</h1><p>{escape(info['summary'])}.</p>",
        "<p>The same for programs: <a href='/v1/openapi.json'>/v1/openapi.json</a> and",
        "<a href='/v1/asyncapi.json'>/v1/asyncapi.json</a>.</p>",
        *_paragraphs(info["description"]),
        "<p>On this page: <a href='#http'>HTTP</a>, <a href='#websocket'>WebSocket</a>, <a href='#codes'>codes</a>,",
        "<a href='#schemas'>schemas</a>.</p>",
        "<h2 id='http'>HTTP</h2>",
        *_contents(_calls(openapi)),
        *_operations(openapi),
        "<h2 id='websocket'>WebSocket</h2>",
        *_paragraphs(asyncapi["info"]["description"]),
        *_contents(asyncapi["components"]["messages"]),
        *_messages(asyncapi),
        "<h2 id='codes'>Codes</h2>",
        *_codes(codes),
        "<h2 id='schemas'>Schemas</h2>",
        *_schemas(openapi["components"]["schemas"]),
        "<h3>Of the WebSocket</h3>",
        *_schemas(asyncapi["components"]["schemas"], "socket-"),
    ]
    return "\n".join(parts) + "</html>\n"


def _contents(names: Iterable[str]) -> Iterator[str]:
    """Links to what has one of these names on the page."""
    lines = (f"<li><a href='#{_anchor(name)}'><code>{escape(name)}</code></a></li>" for name in names)
    yield f"<ul>{''.join(lines)}</ul>"


def _anchor(name: str) -> str:
    return "to-" + re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


# ---- HTTP


def _calls(openapi: dict[str, Any]) -> Iterator[str]:
    for path, methods in openapi["paths"].items():
        yield from (f"{method.upper()} {path}" for method in methods)


def _operations(openapi: dict[str, Any]) -> Iterator[str]:
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            call = f"{method.upper()} {path}"
            yield f"<h3 id='{_anchor(call)}'><code>{escape(call)}</code></h3>"
            yield from _paragraphs(operation.get("description", ""))
            yield from _queries(operation)
            yield _pre(_request(method, path, operation))
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    yield f"<p>Answer {status}: {_reference(response)}</p>{_example(response)}"


def _queries(operation: dict[str, Any]) -> Iterator[str]:
    names = [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"]
    if names:
        yield f"<p>Query: {', '.join(f'<code>{escape(name)}</code>' for name in names)}</p>"
    body = operation.get("requestBody")
    if body is not None:
        yield f"<p>Body: {_reference(body)}</p>"


def _request(method: str, path: str, operation: dict[str, Any]) -> str:
    """As it goes over the wire."""
    parameters = operation.get("parameters", ())
    for parameter in parameters:
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", parameter["example"])
    lines = [f"{method.upper()} {path} HTTP/1.1"]
    if operation.get("security"):
        lines.append("Authorization: Bearer …")
    lines += [f"{HEADER}: {each['example']}" for each in parameters if each["name"] == HEADER]
    content = operation.get("requestBody", {}).get("content", {}).get(JSON)
    if content is None:
        return "\n".join(lines)
    return "\n".join([*lines, f"Content-Type: {JSON}", "", _json(content.get("example"))])


def _reference(part: dict[str, Any]) -> str:
    if "content" not in part:
        return "nothing"
    (kind, content), *_ = part["content"].items()
    name = name_of(content.get("schema", {}))
    if name is None:
        return f"<code>{escape(kind)}</code>"
    return f"<a href='#{escape(name)}'><code>{escape(name)}</code></a>"


def _example(part: dict[str, Any]) -> str:
    example = part.get("content", {}).get(JSON, {}).get("example")
    return _pre(_json(example)) if example is not None else ""


# ---- WebSocket


def _messages(asyncapi: dict[str, Any]) -> Iterator[str]:
    operations, messages = asyncapi["operations"], asyncapi["components"]["messages"]
    yield "<h3>You send</h3>"
    for tag, operation in operations.items():
        if operation["action"] == "receive":
            answers = ", ".join(f"<code>{name_of(answer)}</code>" for answer in operation["reply"]["messages"])
            yield from _message(messages[tag])
            yield f"<p>Answered by {answers}.</p>"
    yield "<h3>You are sent</h3>"
    for reference in operations["told"]["messages"]:
        yield from _message(messages[name_of(reference) or ""])


def _message(message: dict[str, Any]) -> Iterator[str]:
    title, name = escape(message["title"]), name_of(message["payload"]) or message["title"]
    tag = escape(message["name"])
    yield f"<h4 id='{_anchor(tag)}'><code>{tag}</code> <a href='#socket-{escape(name)}'>{title}</a></h4>"
    yield from _paragraphs(message.get("summary", ""))
    for example in message.get("examples", ()):
        yield _pre(_json(example["payload"]))


# ---- all else


def _codes(codes: Iterable[DocumentedCode]) -> Iterator[str]:
    rows = (
        f"<tr><td><code>{code.code}</code></td><td>{escape(code.by)}</td><td>{_prose(code.meaning)}</td></tr>"
        for code in codes
    )
    yield f"<table><tr><th>code</th><th>of</th><th>means</th></tr>{''.join(rows)}</table>"


def _schemas(schemas: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Folded; a browser unfolds what a link leads into."""
    for name, schema in schemas.items():
        title, inner = f"<summary><code>{escape(name)}</code></summary>", escape(_json(schema))
        yield f"<details>{title}<pre id='{prefix}{escape(name)}'>{inner}</pre></details>"


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in filter(None, text.split("\n\n")):
        yield f"<p>{_prose(paragraph)}</p>"


def _prose(text: str) -> str:
    """Sentences whose `code` stands between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
