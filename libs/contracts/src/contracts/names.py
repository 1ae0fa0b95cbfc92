"""What a name may be made of, and what those are called who have none: the same wherever names are chosen or shown."""

import unicodedata
from base64 import b32encode
from hashlib import sha256

NAME_CHARACTERS_MAX = 24
MARKS_MAX = 2
HOUSE = "house-"
"""What the account of a numbered house bot begins with."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols by their category, spaces to the eye."""


def fallback_name(account: str) -> str:
    """Always the same for an account, and nothing can be told from it but that."""
    if account.startswith(HOUSE):
        return f"House {account.rpartition('-')[2]}"[:NAME_CHARACTERS_MAX]
    return f"Guest {b32encode(sha256(account.encode()).digest()).decode()[:4]}"


def clean(text: str) -> str:
    """The text as one line that is what it looks like: composed, without what cannot be seen, with plain single spaces,
    with at most two accents on a letter. Empty when nothing is left."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in ("Zs", "Zl", "Zp") or character in BLANK or character in "\t\n\r":
            character, category = " ", "Zs"
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] != "C" and marks <= MARKS_MAX:
            kept.append(character)
    composed = unicodedata.normalize("NFC", "".join(kept))  # what stood between a letter and its accent is gone by now
    return " ".join(composed.split())
