"""The API's own page: all of the OpenAPI document and the WebSocket messages, without a script from elsewhere."""

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from pydantic import TypeAdapter

from contracts.api import FromClient, ToClient
from gateway.codes import Code

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f4f5f6;padding:.75rem;overflow:auto;border-radius:6px}
h3 code{background:#e7f0ea;padding:.15rem .4rem;border-radius:4px}summary{cursor:pointer}
"""
_SOCKET_TEXT = """Connect to <code>/v1/ws</code> and send <code>hello</code> with your token within five seconds. Every
frame is one JSON object with a <code>type</code>, at most 16 KiB. Keep the newest <code>version</code> of each table
and name it in <code>watch</code>: you get what you missed, or the whole table. Closed with 1001 or 4408: connect again
and watch with your versions. 4401: the token is not good. 4409: an account has 32 sockets at most, and this one
was the oldest; if it came back by itself, the next would go. No <code>answer</code> yet: send the command again with
the same <code>id</code>; it has one effect. The server pings each socket as RFC 6455 has it, and browsers and libraries
answer by themselves. The median of the last five round trips is credited to your turns, at most 500 ms a turn and 5 s a
match; who answers no ping has no credit, and nothing that a client says of time is used.
While you wait in the queue you are told <code>queue-status</code> whenever it has changed, once a second at most.
<code>follow-room</code> shows you the tables of a public room, and then what changes, every 100 ms at most.
<code>follow-private-room</code> shows you a private room after every change of it; in it, and where you have a seat,
you hear <code>talk</code>. A screen may follow its room, watch its table and ping, and nothing else; it is told
<code>screen-paired</code>."""


def describe_in_html(openapi: dict[str, Any]) -> str:
    """One page of HTML."""
    meta = "<meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    head = f"<!doctype html><html lang='en'>{meta}<title>Capicua API</title><style>{_STYLE}</style>"
    title = f"<h1>Capicua API v{escape(openapi['info']['version'])}</h1><p>{escape(openapi['info']['summary'])}.</p>"
    link = "<p>The same for programs: <a href='/v1/openapi.json'>/v1/openapi.json</a>.</p>"
    errors = "<p>Errors are problem documents (RFC 9457) with a stable <code>code</code>, listed below.</p>"
    parts = [head, title, link, "<h2>HTTP</h2>", errors, *_operations(openapi), "<h2>WebSocket</h2>"]
    parts += [f"<p>{_SOCKET_TEXT}</p>", *_messages("You send", FromClient), *_messages("You are sent", ToClient)]
    parts += ["<h2>Codes</h2>", "<p>Those of the lobby and the table come as they are.</p>", *_codes()]
    parts += ["<h2>Schemas</h2>", *_schemas(openapi["components"]["schemas"])]
    return "\n".join(parts) + "</html>"


def _operations(openapi: dict[str, Any]) -> Iterator[str]:
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            yield f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
            yield f"<p>{_prose(operation.get('description', ''))}</p>"
            body = operation.get("requestBody")
            if body is not None:
                yield f"<p>Body: {_reference(body)}</p>"
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    yield f"<p>Answer {status}: {_reference(response)}</p>"


def _prose(text: str) -> str:
    """Sentences whose `code` stands between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _reference(part: dict[str, Any]) -> str:
    (kind, content), *_ = part["content"].items()
    schema = content["schema"]
    if "$ref" not in schema:
        return f"<code>{escape(kind)}</code>"
    name = schema["$ref"].rsplit("/", 1)[-1]
    return f"<a href='#{escape(name)}'><code>{escape(name)}</code></a>"


def _messages(title: str, union: Any) -> Iterator[str]:
    schema = TypeAdapter(union).json_schema(mode="serialization")
    yield f"<h3>{title}</h3>"
    yield from _schemas(schema["$defs"])


def _codes() -> Iterator[str]:
    rows = (f"<tr><td><code>{code}</code></td><td>{escape(code.why)}</td></tr>" for code in Code)
    yield f"<table>{''.join(rows)}</table>"


def _schemas(schemas: dict[str, Any]) -> Iterator[str]:
    for name, schema in schemas.items():
        text = escape(json.dumps(schema, indent=2, ensure_ascii=False))
        yield f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary><pre>{text}</pre></details>"
