"""Access tokens as the account service signs them, and screens' as gateways do."""

import time
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.keys import ACCOUNT_KEY as ACCOUNT_BYTES
from tests.keys import SIGNING_KEY, public_key

from bus.clock import BrokerTime, Clock, SystemClock
from gateway.ended import Ended
from gateway.identity import ACCOUNTS, ISSUER, AccessTokens, ScreenTokens, Tokens

ACCOUNT_KEY = Ed25519PrivateKey.from_private_bytes(ACCOUNT_BYTES)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(2, 34)))
SCREEN_KEY = SIGNING_KEY
SESSION = "s" * 32


def public(key: Ed25519PrivateKey = ACCOUNT_KEY) -> bytes:
    return public_key(key.private_bytes_raw())


def claims(account: str = "g1", **others: Any) -> dict[str, Any]:
    """Of a token that is good; what is None in `others` is left out."""
    now = time.time()
    good = {"iss": ISSUER, "sub": account, "sid": SESSION, "region": "eu", "iat": now, "exp": int(now) + 600}
    return {name: value for name, value in {**good, **others}.items() if value is not None}


def access_token(account: str = "g1", key: Ed25519PrivateKey = ACCOUNT_KEY, **others: Any) -> str:
    return jwt.encode(claims(account, **others), key, ACCOUNTS)


def tokens(*keys: Ed25519PrivateKey, ended: Ended | None = None, clock: Clock | None = None) -> Tokens:
    """What one gateway takes, with the public halves of `keys`."""
    system = SystemClock()
    known = ended if ended is not None else Ended(BrokerTime(system))
    access = AccessTokens([public(key) for key in keys or (ACCOUNT_KEY,)], known)
    return Tokens(access, ScreenTokens(SCREEN_KEY, "eu", clock or system))
