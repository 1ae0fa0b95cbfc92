"""The AsyncAPI document (3.0) of the WebSocket: every message, what answers it, and an example."""

from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from contracts.api import ClientMessage, ToClient
from gateway.documented import Documented
from gateway.pace import MESSAGES_BURST, MESSAGES_PER_SECOND

TEXT = f"""Connect to `/v1/ws` and send `hello` with your token within five seconds. Every frame is one JSON object with
a `type`, at most 16 KiB. Keep the newest `version` of each table and name it in `watch`: you get what you missed, or
the whole table. No `answer` yet: send the command again with the same `id`; it has one effect. The server pings each
socket as RFC 6455 has it, and browsers and libraries answer by themselves. The median of the last five round trips is
credited to your turns, at most 500 ms a turn and 5 s a match; who answers no ping has no credit, and nothing that a
client says of time is used. While you wait in the queue you are told `queue-status` whenever it has changed, once a
second at most. `follow-room` shows you the tables of a public room, and then what changes, every 100 ms at most.
`follow-private-room` shows you a private room after every change of it; in it, and where you have a seat, you hear
`talk`. A screen may follow its room, watch its table and ping, and nothing else; it is told `screen-paired`.

What your account says on all its sockets counts together: {MESSAGES_PER_SECOND} messages a second,
{MESSAGES_BURST} at once. What is too much gets the error `too-many-requests` with the `id` of what you sent, and is not
done: send the same again a second later.

Closed with 1001 (the gateway stops), 4408 (you read too slowly) or 4503 (room is needed for people with a seat):
connect again, after a pause that grows, and watch with your versions; nothing is lost. 4401: the token is not good, or
its session has ended: renew it. 4403: the token is not for this. 4409: an account has 32 sockets at most, and this one
was the oldest; if it came back by itself, the next would go."""
ADDRESS = "/v1/ws"
CHANNEL = "#/channels/socket"
ANSWERS = {
    "hello": ("welcome", "error"),
    "watch": ("view", "error"),
    "command": ("answer", "error"),
    "ping": ("pong",),
    "follow-room": ("room-list", "error"),
    "follow-private-room": ("private-room", "error"),
    "say": ("said", "error"),
}
"""What answers a message of the client; what is not here is answered by nothing, or by an error."""

Model = type[BaseModel]


def from_client() -> dict[str, Model]:
    """By tag."""
    return {_tag(model): model for model in get_args(ClientMessage)}


def to_client() -> dict[str, Model]:
    """By tag."""
    return {_tag(model): model for model in get_args(get_args(ToClient)[0])}


def asyncapi_of(version: str, known: Documented) -> dict[str, Any]:
    """All of it."""
    said, told = from_client(), to_client()
    wanted: list[tuple[Model, JsonSchemaMode]] = [(model, "validation") for model in said.values()]
    wanted += [(model, "serialization") for model in told.values()]
    schemas, definitions = models_json_schema(wanted, ref_template="#/components/schemas/{model}")
    messages = {
        _tag(model): _message(model, schemas[model, mode], known.examples.get(model.__name__)) for model, mode in wanted
    }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Capicua", "version": version, "description": TEXT},
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": ADDRESS,
                "title": "One socket of one account",
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in messages},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {**{tag: _operation(tag, model) for tag, model in said.items()}, "told": _told(list(told))},
        "components": {"messages": messages, "schemas": definitions.get("$defs", {})},
    }


def _message(model: Model, schema: dict[str, Any], example: dict[str, Any] | None) -> dict[str, Any]:
    tag = _tag(model)
    message: dict[str, Any] = {
        "name": tag,
        "title": model.__name__,
        "contentType": "application/json",
        "payload": schema,
    }
    if model.__doc__:
        message["summary"] = " ".join(model.__doc__.split())
    if example is not None:
        message["examples"] = [{"name": tag, "payload": example}]
    return message


def _operation(tag: str, model: Model) -> dict[str, Any]:
    """What the server receives."""
    answers = ANSWERS.get(tag, ("error",))
    return {
        "action": "receive",
        "channel": {"$ref": CHANNEL},
        "summary": " ".join((model.__doc__ or tag).split()),
        "messages": [{"$ref": f"{CHANNEL}/messages/{tag}"}],
        "reply": {"channel": {"$ref": CHANNEL}, "messages": [{"$ref": f"{CHANNEL}/messages/{a}"} for a in answers]},
    }


def _told(tags: list[str]) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": CHANNEL},
        "summary": "What the server tells, as an answer or unasked.",
        "messages": [{"$ref": f"{CHANNEL}/messages/{tag}"} for tag in tags],
    }


def _tag(model: Model) -> str:
    return str(model.model_fields["type"].default)
