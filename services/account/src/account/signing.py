"""Access tokens: what proves an account for ten minutes without anybody being asked."""

from collections.abc import Sequence
from hashlib import sha256

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TOKEN_SECONDS = 600
ALGORITHM = "EdDSA"
ISSUER = "capicua"


class Signer:
    """Signs with one private key of 32 bytes. The token says which (`kid`), for the time when gateways know two."""

    def __init__(self, private_key: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private_key)
        self.public_key = self._key.public_key().public_bytes_raw()
        self._headers = {"kid": sha256(self.public_key).hexdigest()[:16]}

    def sign(
        self,
        account: str,
        session: str,
        now: int,
        *,
        region: str,
        bot: bool = False,
        house: bool = False,
        scopes: Sequence[str] | None = None,
    ) -> str:
        """A token signed at `now` (ms of the database's clock), good for `TOKEN_SECONDS`."""
        claims: dict[str, object] = {
            "iss": ISSUER,
            "sub": account,
            "sid": session,
            "region": region,
            "bot": bot,
            "house": house,
            "iat": now / 1000,
            "exp": now // 1000 + TOKEN_SECONDS,
        }
        if scopes is not None:
            claims["scopes"] = list(scopes)
        return jwt.encode(claims, self._key, ALGORITHM, self._headers)
