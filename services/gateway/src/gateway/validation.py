"""What pydantic found wrong with a request (an item of its `errors()`), as the `expected` and `got` of an answer."""

from collections.abc import Mapping
from typing import Any

_EXPECTED = {
    "json_invalid": "JSON",
    "extra_forbidden": "no field of this name",
    "missing": "a value",
    "model_attributes_type": "a JSON object, sent as application/json",
}
_PREFIX = "Input should be "


def expectation(error: Mapping[str, Any]) -> str:
    """What would have been right, to stand after the word `expected`."""
    return _EXPECTED.get(error["type"], str(error["msg"]).removeprefix(_PREFIX))


def kind_of_input(error: Mapping[str, Any]) -> str:
    """What kind of thing came, without the thing: it may be a key."""
    if error["type"] == "json_invalid":
        return "something else"
    return "nothing" if error["type"] == "missing" or error["input"] is None else type(error["input"]).__name__
