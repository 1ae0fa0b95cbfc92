"""What every message on the wire has in common."""

from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field

Milliseconds = Annotated[int, Field(ge=0, description="milliseconds since 1970-01-01 UTC in the log's own time")]
AccountId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
TableId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Region = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[a-z0-9-]+$")]
CommandId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$")]
SeatNumber = Annotated[int, Field(ge=1, le=4)]
NotOpened = Annotated[
    str | None,
    Field(
        pattern=r"^[a-z0-9-]{1,64}$",
        exclude_if=lambda why: why is None,
        description="why the table was never opened, as a code; none: it was, and is over",
    ),
]
TileText = Annotated[str, Field(pattern=r"^[0-6]-[0-6]$", description="higher half first: 6-3")]
WITHOUT_NUL = r"^[^\x00]*$"
"""What people write freely; a database's text has no such character."""
ClientSeed = Annotated[str, Field(max_length=64, pattern=r"^[!-9;-~ ]*$", description="printable ASCII, no ':'")]


class Message(BaseModel):
    """A frozen value. Unknown fields are ignored, so that an older reader takes a newer writer's message."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class StrictMessage(BaseModel):
    """A frozen value from outside: unknown fields are refused, so that a typing error is seen at once."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def tags(union: Any) -> tuple[str, ...]:
    """The tags (`type`) of all messages of a discriminated union such as `contracts.lobby.LobbyEvent`."""
    members = get_args(get_args(union)[0])
    return tuple(member.model_fields["type"].default for member in members)
