"""Names that carry the time of their making: ULIDs in lower case (48 bits of ms, 80 of chance, in Base32)."""

import re

_ULID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
_DIGITS = {digit: value for value, digit in enumerate("0123456789abcdefghjkmnpqrstvwxyz")}
_TIME_DIGITS = 10


def made_at(name: str) -> int | None:
    """When the name was made, in ms since 1970; None for one that does not say."""
    if _ULID.fullmatch(name) is None:
        return None
    at = 0
    for digit in name[:_TIME_DIGITS]:
        at = 32 * at + _DIGITS[digit]
    return at
