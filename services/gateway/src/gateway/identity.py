"""Who asks: accounts and screens, and the tokens that prove them.

By PyJWT, which reads Ed25519 by way of cryptography.
"""

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import ValidationError

from bus.clock import Clock
from contracts.account import SessionId
from contracts.message import AccountId, Message, Region
from gateway.ended import Ended

ACCOUNTS, SCREENS = "EdDSA", "HS256"
"""The algorithms; either belongs to its own keys, and to no others."""
ISSUER = "capicua"
SCREEN = "screen"
SCREEN_SECONDS = 30 * 24 * 60 * 60
ACCESS_SECONDS_MAX = 10 * 60
LEEWAY_SECONDS = 5
"""By so much the clocks of two of our machines may differ."""


@dataclass(frozen=True, slots=True)
class Identity:
    """`region`: where the account was made; it queues there and nowhere else. `bot`: a program by its own declaration.
    `house`: one of the house's own bots. `screen`: no person at all. `session` is none of a screen and of whom the
    gateway itself speaks for. `scopes`: of a personal token, none of a session, which may all. `signed_at`: when its
    token was signed, in ms."""

    account: str
    region: str
    bot: bool = False
    house: bool = False
    screen: bool = False
    session: str | None = None
    scopes: frozenset[str] | None = None
    signed_at: int = 0

    @property
    def has_guests(self) -> bool:
        """Whether it sits where guests sat that are its account by now: sessions of people do, and nobody else."""
        return self.session is not None and self.scopes is None and not (self.bot or self.house or self.screen)


class BadToken(Exception):
    """The token proves nothing. The text says why and never quotes the token."""


class SessionEnded(BadToken):
    """It proves who this was, who is to be let in no more."""

    def __init__(self, was: Identity) -> None:
        super().__init__("a token of a session that has ended")
        self.was = was


def new_account(kind: str = "g") -> str:
    """A fresh id: `g` for a guest, `s` for a screen, and 26 characters of base32, 128 random bits."""
    return kind + base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


class _Claims(Message):
    """Of an access token."""

    sub: AccountId
    sid: SessionId
    region: Region
    bot: bool = False
    house: bool = False
    scopes: frozenset[str] | None = None
    iat: float
    exp: float


class AccessTokens:
    """Checks what the account service has signed, by its public keys: one, and two while it is changed. The tokens of
    all regions are read. One that is good for longer than ten minutes proves nothing: by then it would not be known any
    more that its session has ended."""

    def __init__(self, public_keys: Sequence[bytes], ended: Ended) -> None:
        self._keys = [Ed25519PublicKey.from_public_bytes(key) for key in public_keys]
        self._ended = ended

    def read(self, token: str) -> Identity:
        """Whose token this is. Raises `BadToken`."""
        claims = self._claims(token)
        signed_at = int(claims.iat * 1000)
        if claims.exp - claims.iat > ACCESS_SECONDS_MAX:
            raise BadToken("a token that is good for too long")
        identity = Identity(
            claims.sub, claims.region, claims.bot, claims.house, False, claims.sid, claims.scopes, signed_at
        )
        if not self.still_good(identity):
            raise SessionEnded(identity)
        return identity

    def still_good(self, identity: Identity) -> bool:
        """Whether the session, if it is one, has not ended since the token was read."""
        return identity.session is None or self._ended.allows(identity.account, identity.session, identity.signed_at)

    def _claims(self, token: str) -> _Claims:
        for key in self._keys:
            try:
                return _Claims.model_validate(
                    _decode(token, key, ACCOUNTS, ["sub", "sid", "region", "iat", "exp"], ISSUER)
                )
            except jwt.InvalidSignatureError:
                continue  # the other one's, perhaps
            except ValidationError:
                break
        raise _strange()


class ScreenTokens:
    """Signs and checks the tokens of screens, with the gateways' own key. New screens are at home in `region`."""

    def __init__(self, signing_key: bytes, region: str, clock: Clock) -> None:
        self._signing_key = signing_key
        self._region = region
        self._clock = clock

    def screen(self) -> tuple[Identity, str]:
        """A new screen, and its token, which is good for 30 days."""
        identity = Identity(new_account("s"), self._region, screen=True)
        now = self._clock.wall() // 1000
        claims = {"sub": identity.account, "region": identity.region, "role": SCREEN, "iat": now}
        return identity, jwt.encode({**claims, "exp": now + SCREEN_SECONDS}, self._signing_key, SCREENS)

    def read(self, token: str) -> Identity:
        """Which screen's token this is. Raises `BadToken`."""
        try:
            claims = _decode(token, self._signing_key, SCREENS, ["sub", "region", "role", "exp"])
        except jwt.InvalidSignatureError:
            raise _strange() from None
        if claims["role"] != SCREEN:
            raise _strange()
        return Identity(claims["sub"], claims["region"], screen=True)


class Tokens:
    """Reads the tokens of accounts and of screens: by the algorithm that one names it is tried with the keys that this
    algorithm belongs to."""

    def __init__(self, accounts: AccessTokens, screens: ScreenTokens) -> None:
        self._by_algorithm = {ACCOUNTS: accounts.read, SCREENS: screens.read}
        self.still_good = accounts.still_good

    def read(self, token: str) -> Identity:
        """Whose token this is. Raises `BadToken`."""
        if not token.isascii():
            raise _strange()
        try:
            algorithm = jwt.get_unverified_header(token).get("alg")
        except jwt.InvalidTokenError:
            raise _strange() from None
        read = self._by_algorithm.get(algorithm) if isinstance(algorithm, str) else None
        if read is None:
            raise _strange()
        return read(token)


def _decode(
    token: str, key: Ed25519PublicKey | bytes, algorithm: str, required: list[str], issuer: str | None = None
) -> dict[str, Any]:
    """The claims. Raises `BadToken`, and `InvalidSignatureError` where another key may fit."""
    try:
        return jwt.decode(token, key, [algorithm], {"require": required}, issuer=issuer, leeway=LEEWAY_SECONDS)
    except jwt.ExpiredSignatureError:
        raise BadToken("an expired token") from None
    except jwt.InvalidSignatureError:
        raise
    except jwt.InvalidTokenError:
        raise _strange() from None


def _strange() -> BadToken:
    return BadToken("a token that this service did not sign")
