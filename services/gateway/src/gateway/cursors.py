"""Lists page by page. A cursor names the place of the last entry of a page, not its number: what is added or taken away
meanwhile makes nothing come twice or be left out."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query

from gateway.codes import Code
from gateway.problems import ProblemError, problem

CHARACTERS_MAX = 256
LIMIT_MAX = 100
LIMIT_FIRST = 50
Cursor = Annotated[str | None, Query(max_length=CHARACTERS_MAX, description="the `next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=LIMIT_MAX)]


class BadCursor(ValueError):
    """Not a cursor of ours."""


def written(place: Sequence[bool | int | str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def read(cursor: str) -> Any:
    """The place as a list; whoever reads it sees whether it is one of its list. Raises `BadCursor`."""
    try:
        return json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise BadCursor(cursor) from None


def bad_cursor() -> ProblemError:
    return problem(422, Code.BAD_CURSOR, "cursor", "the `next` of a page", "something else")
