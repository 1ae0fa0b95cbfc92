"""What the API's description has from outside of the code: an example of every message, and all stable codes.

`make api-docs` writes it, from the messages' golden examples and from wherever a code is given.
"""

import json
from importlib.resources import files
from typing import Any

from pydantic import BaseModel

FILE = "documented.json"


class DocumentedCode(BaseModel):
    """`by`: who gives it."""

    code: str
    by: str
    meaning: str


class Documented(BaseModel):
    """`examples` by the message's name; `parameters` by the name of what stands in a path."""

    examples: dict[str, dict[str, Any]]
    parameters: dict[str, str]
    codes: tuple[DocumentedCode, ...]


def documented() -> Documented:
    """As it was written last."""
    return Documented.model_validate(json.loads(files("gateway").joinpath(FILE).read_text()))
