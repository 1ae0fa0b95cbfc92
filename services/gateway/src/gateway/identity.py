"""Who asks: accounts, and the tokens that prove them."""

import base64
import hmac
import secrets
from dataclasses import dataclass

import jwt

from bus.clock import Clock

ALGORITHM = "HS256"
SCREEN = "screen"
HOUSE = "house-"
"""What the account of a numbered house bot begins with."""
TOKEN_SECONDS = 30 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Identity:
    """`region`: where the account was made; it queues there and nowhere else. `bot`: a program by its own declaration.
    `house`: one of the house's own bots. `screen`: no person at all."""

    account: str
    region: str
    bot: bool = False
    house: bool = False
    screen: bool = False


class BadToken(Exception):
    """The token proves nothing. The text says why and never quotes the token."""


class WrongHouseKey(Exception):
    """Somebody who is not the house asked to be a house bot."""


def new_account(kind: str = "g") -> str:
    """A fresh id: `g` for a guest, `s` for a screen, and 26 characters of base32, 128 random bits."""
    return kind + base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


class Tokens:
    """Signs and checks the tokens of guests, which are good for 30 days. New accounts are at home in `region`, and the
    tokens of all regions are read. One that says no region proves nothing: with it one could queue in all of them."""

    def __init__(self, signing_key: bytes, house_key: str | None, region: str, clock: Clock) -> None:
        self._signing_key = signing_key
        self._house_key = house_key
        self._region = region
        self._clock = clock

    def guest(self, *, bot: bool) -> tuple[Identity, str]:
        """A new account and its token."""
        identity = Identity(new_account(), self._region, bot)
        return identity, self.issue(identity)

    def house_bot(self, house_key: str | None, number: int | None) -> tuple[Identity, str]:
        """The region's house bot of that number, always the same account, or a new one. Raises `WrongHouseKey`."""
        if self._house_key is None or house_key is None:
            raise WrongHouseKey
        if not hmac.compare_digest(house_key.encode(errors="surrogatepass"), self._house_key.encode()):
            raise WrongHouseKey
        account = new_account() if number is None else f"{HOUSE}{self._region}-{number}"
        identity = Identity(account, self._region, bot=True, house=True)
        return identity, self.issue(identity)

    def screen(self) -> tuple[Identity, str]:
        """A new screen and its token."""
        identity = Identity(new_account("s"), self._region, screen=True)
        return identity, self.issue(identity)

    def issue(self, identity: Identity) -> str:
        now = self._clock.wall() // 1000
        claims: dict[str, str | int | bool] = {
            "sub": identity.account,
            "region": identity.region,
            "bot": identity.bot,
            "house": identity.house,
            "iat": now,
            "exp": now + TOKEN_SECONDS,
        }
        if identity.screen:
            claims["role"] = SCREEN
        return jwt.encode(claims, self._signing_key, ALGORITHM)

    def read(self, token: str) -> Identity:
        """Whose token this is. Raises `BadToken`."""
        if not token.isascii():
            raise BadToken("a token that this service did not sign")
        try:
            claims = jwt.decode(token, self._signing_key, [ALGORITHM], options={"require": ["sub", "region", "exp"]})
        except jwt.ExpiredSignatureError:
            raise BadToken("an expired token") from None
        except jwt.InvalidTokenError:
            raise BadToken("a token that this service did not sign") from None
        bot, house, screen = claims.get("bot") is True, claims.get("house") is True, claims.get("role") == SCREEN
        return Identity(claims["sub"], claims["region"], bot, house, screen)
