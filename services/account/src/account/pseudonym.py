"""What an account goes by that has no name of its own, or none any more."""

from base64 import b32encode
from hashlib import sha256

from account.handlers import HOUSE
from contracts.message import AccountId

NAME_CHARACTERS_MAX = 24


def pseudonym_of(account: AccountId) -> str:
    """Always the same for an account, and nothing can be told from it but that. Gateways make the same of it."""
    if account.startswith(HOUSE):
        return f"House {account.rpartition('-')[2]}"[:NAME_CHARACTERS_MAX]
    return f"Guest {b32encode(sha256(account.encode()).digest()).decode()[:4]}"
