"""The keys of the product as tests start it."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SIGNING_KEY = bytes(range(32))
HOUSE_KEY = "the house's own, which nobody else is told"
ACCOUNT_KEY = bytes(range(1, 33))
INNER_KEY = "the inner key of these tests, which nobody else has"


def public_key(private: bytes = ACCOUNT_KEY) -> bytes:
    """The public half of an Ed25519 key."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
