"""The list of words that are no names: one that comes with the service, and one of the operators'.

A section begins with its kind in brackets: `[staff]`, `[bots]` (which declared programs may call themselves), or
`[abusive]`; lines before the first one are of the staff. Each line is a word that must not be met as a word of a name,
nor as the whole of it. `=word` must not be the whole of a name, `*word*` must not even be met inside a word. A number
at a name's end counts for nothing. What comes after `#` is for who reads the list.
"""

from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path

STAFF, BOTS, ABUSIVE = "staff", "bots", "abusive"
KINDS = (STAFF, BOTS, ABUSIVE)


class BadNamesFile(Exception):
    """The list cannot be read; the text says which line, and what was expected."""


class Where(Enum):
    """Where in a name a word must not be met."""

    WHOLE = "whole"
    WORD = "word"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Line:
    kind: str
    word: str
    where: Where


def read_reserved(text: str) -> tuple[Line, ...]:
    """Raises `BadNamesFile`."""
    kind = STAFF
    found: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        given = line.partition("#")[0].strip()
        if given.startswith("["):
            kind = given.strip("[]")
            if kind not in KINDS:
                raise BadNamesFile(f"line {number}: expected {', '.join(f'[{known}]' for known in KINDS)}, got another")
        elif given:
            word = given.strip("=*").strip()
            if not word:
                raise BadNamesFile(f"line {number}: expected a word, got none")
            found.append(Line(kind, word, _where(given)))
    return tuple(found)


def _where(given: str) -> Where:
    if given.startswith("="):
        return Where.WHOLE
    return Where.INSIDE if given.startswith("*") and given.endswith("*") else Where.WORD


def reserved_words(more: Path | None) -> tuple[Line, ...]:
    """Those that come with the service, and those in the file `more`. Raises `BadNamesFile`."""
    ours = read_reserved(files("account").joinpath("data/names.txt").read_text(encoding="utf-8"))
    if more is None:
        return ours
    try:
        text = more.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadNamesFile(f"expected a text in UTF-8, got {type(error).__name__}") from error
    return ours + read_reserved(text)
