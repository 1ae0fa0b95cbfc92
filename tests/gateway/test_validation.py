from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from gateway.validation import expectation, kind_of_input


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seats: int
    bots: bool = False


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ('{"seats":', "expected JSON, got something else"),
        ('{"seats":2,"pace":1}', "expected no field of this name, got int"),
        ("{}", "expected a value, got nothing"),
        ('{"seats":null}', "expected a valid integer, got nothing"),
        ('{"seats":2,"bots":[]}', "expected a valid boolean, got list"),
    ],
)
def test_what_is_wrong_reads_as_a_sentence(body: str, sentence: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Wish.model_validate_json(body)
    first = raised.value.errors()[0]
    assert f"expected {expectation(first)}, got {kind_of_input(first)}" == sentence


@pytest.mark.parametrize("value", [[], b"seats=2"])
def test_something_that_is_no_object_is_told_how_to_be_one(value: Any) -> None:
    with pytest.raises(ValidationError) as raised:
        Wish.model_validate(value, from_attributes=True)
    assert expectation(raised.value.errors()[0]) == "a JSON object, sent as application/json"
