"""Ids and secrets, drawn from the system's own chance."""

import base64
import secrets
from hashlib import sha256

SECRET_BYTES = 32


def new_account(kind: str) -> str:
    """`p` for a program, `h` for a house bot without a number, and 26 characters of base32: 128 random bits."""
    return kind + _chance()


def new_session() -> str:
    """Names a session or a personal token, and proves nothing."""
    return _chance()


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_of(secret: str) -> str:
    """What is kept of a secret: its SHA-256 in hexadecimal digits. A secret of 256 random bits needs no salt."""
    return sha256(secret.encode()).hexdigest()


def _chance() -> str:
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
