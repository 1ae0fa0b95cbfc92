"""A private room's code, as people type it."""

import re

import typer

from contracts.room import CODE_PATTERN


def room_code(text: str, hint: str) -> str:
    """In capitals. Raises BadParameter for what can be no code."""
    code = text.strip().upper()
    if not re.fullmatch(CODE_PATTERN, code):
        expected = f"expected six letters and digits, none of them 0, 1, I or O, got {text!r}"
        raise typer.BadParameter(expected, param_hint=hint)
    return code
