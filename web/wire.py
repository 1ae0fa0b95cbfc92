"""Writes the client's TypeScript types of everything that goes over the public API, from the contracts.

`python -m web.wire` writes, with `--check` it only says what would change (exit status 1). Names are those of
the contracts' classes.
"""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from pydantic_core import core_schema
from web.node import node

from contracts import account_api, api, queue_api, region, room, room_api, table
from contracts.message import StrictMessage

Model = type[BaseModel]
Schema = dict[str, Any]
WEB = Path(__file__).parent
GENERATED = WEB / "src/wire/generated.ts"
MODULES = (api, queue_api, room_api, account_api)
COMMANDS = {"PlayerCommand": table.PlayerCommands, "PersonInRoomCommand": room.PersonInRoomCommands}
EVENTS_WITH_SECRETS = (table.RoundCommitted, table.RoundDealt, table.TilesDrawn)
"""What a seat is told of these has another shape, made by `domino_rules.table.view`."""
Field = core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField


class Sent(GenerateJsonSchema):
    """What the server sends has all its fields, the ones with defaults too."""

    def field_is_required(self, field: Field, total: bool) -> bool:
        if self.mode == "serialization" and field["type"] == "model-field":
            return "serialization_exclude_if" not in field
        return super().field_is_required(field, total)


def generated() -> str:
    """What should stand in the file."""
    types = node("wire.mjs", text=json.dumps(schema()))
    return node("node_modules/@biomejs/biome/bin/biome", "format", f"--stdin-file-path={GENERATED}", text=types)


def schema() -> Schema:
    """What goes over the socket, and in its `definitions` every message, each under the name of its class."""
    _, definitions = models_json_schema(_wanted(), ref_template="#/definitions/{model}", schema_generator=Sent)
    types = {name: _typed(name, body) for name, body in definitions["$defs"].items()}
    unions = {"FromClient": api.ClientMessage, "ToClient": get_args(api.ToClient)[0], **COMMANDS}
    types |= {name: _union(name, get_args(members)) for name, members in unions.items()}
    over_socket = {name: {"$ref": f"#/definitions/{name}"} for name in ("FromClient", "ToClient")}
    return {
        "title": "OverSocket",
        "type": "object",
        "properties": over_socket,
        "required": list(over_socket),
        "definitions": dict(sorted(types.items())),
    }


def _wanted() -> list[tuple[Model, JsonSchemaMode]]:
    """What a client sends may leave defaults out; what it is sent has them all."""
    models: dict[Model, JsonSchemaMode] = {}
    for module in MODULES:
        models |= {model: "validation" if _is_sent(model) else "serialization" for model in _models_of(module)}
    models |= {region.Pool: "serialization"}
    events = get_args(get_args(table.TableEvent)[0])
    models |= {event: "serialization" for event in events if event not in EVENTS_WITH_SECRETS}
    for commands in COMMANDS.values():
        models |= dict.fromkeys(get_args(commands), "validation")
    return list(models.items())


def _models_of(module: ModuleType) -> list[Model]:
    return [
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, BaseModel) and found.__module__ == module.__name__
    ]


def _is_sent(model: Model) -> bool:
    return issubclass(model, StrictMessage)


def _union(name: str, members: tuple[Model, ...]) -> Schema:
    return {"title": name, "oneOf": [{"$ref": f"#/definitions/{model.__name__}"} for model in members]}


def _typed(name: str, body: Schema) -> Schema:
    """Without the titles of fields, each of which would become a type; a tag is always there."""
    fields = {field: _untitled(found) for field, found in body.get("properties", {}).items()}
    tags = [field for field, found in fields.items() if "const" in found]
    required = sorted({*body.get("required", ()), *tags}, key=list(fields).index)
    return body | {"title": name, "properties": fields, "required": required}


def _untitled(found: Any) -> Any:
    match found:
        case dict():
            return {key: _untitled(value) for key, value in found.items() if key not in ("title", "default")}
        case list():
            return [_untitled(value) for value in found]
        case _:
            return found


def main(arguments: list[str]) -> int:
    """The exit status."""
    text = generated()
    if GENERATED.exists() and GENERATED.read_text() == text:
        return 0
    if "--check" in arguments:
        sys.stdout.write(f"{GENERATED.name} would change\n")
        return 1
    GENERATED.write_text(text)
    sys.stdout.write(f"{GENERATED.name} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
