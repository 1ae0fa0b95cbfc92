"""The codes of private rooms and of screens: how they are drawn."""

import hmac
import secrets
from hashlib import sha256

from contracts.room import CODE_LENGTH, CODE_LETTERS


def draw_code() -> str:
    """A code by chance: 30 bits."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class RoomCodes:
    """Draws the code of a new room out of the request itself, so that a request that is repeated, at any gateway, asks
    for the same room. Nobody without the signing key can tell one, as if chance had drawn it."""

    def __init__(self, signing_key: bytes) -> None:
        self._key = hmac.digest(signing_key, b"codes of private rooms", sha256)

    def of(self, account: str, command_id: str, attempt: int) -> str:
        """The code that the request tries at its `attempt`, from 0 on."""
        drawn = hmac.digest(self._key, f"{account} {command_id} {attempt}".encode(), sha256)
        return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in drawn[:CODE_LENGTH])
