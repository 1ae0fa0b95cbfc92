"""What the gateway reads from its environment."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import Field, SecretStr, field_validator

from bus.settings import BusSettings

SIGNING_KEY_BYTES_MIN = 32
PUBLIC_KEY_BYTES = 32
PUBLIC_KEYS_MAX = 2
KEY_CHARACTERS_MIN = 32
IN_THE_CHECKOUT = Path(__file__).parents[4] / "web/dist"


class GatewaySettings(BusSettings):
    """`signing_key`: hex, at least 32 bytes, of screens' tokens and room codes. `account_public_key`: by which the
    account service's tokens are checked, hex of 32 bytes; while it is changed two, with a comma between them.
    `account_url` is the account service's inner door, and `inner_key` opens it. Without a `house_key` nobody can be a
    house bot. `region` is the one lobby that this gateway's people queue in. Links into private rooms begin with
    `public_url`, without one with the address by which somebody has come. In `web_client` lies the browser client."""

    gateway_host: str = "127.0.0.1"
    gateway_port: int = Field(default=8080, ge=0, le=65535, description="0: a free port")
    redis_url: str = Field(validation_alias="REDIS_URL")
    signing_key: SecretStr
    account_public_key: str
    account_url: str = Field(pattern=r"^https?://[^/?#]+$")
    inner_key: SecretStr = Field(min_length=KEY_CHARACTERS_MIN)
    house_key: SecretStr | None = Field(default=None, min_length=KEY_CHARACTERS_MIN)
    region: str = Field(default="eu", pattern=r"^[a-z0-9-]{1,32}$")
    public_url: str | None = Field(default=None, pattern=r"^https?://[^/]+(/[^/?#]+)*$", description="where people are")
    proxies: int = Field(default=0, ge=0, le=8, description="how many of ours stand before it and say for whom")
    web_client: Path | None = Field(default=IN_THE_CHECKOUT, description="as `make web` builds it; none: the API alone")
    leave_seconds: float = Field(default=2.0, ge=0, description="over how long sockets are closed on shutdown")

    @field_validator("signing_key")
    @classmethod
    def _is_long_enough(cls, key: SecretStr) -> SecretStr:
        try:
            size = len(bytes.fromhex(key.get_secret_value()))
        except ValueError:
            raise ValueError("expected hexadecimal digits, got something else") from None
        if size < SIGNING_KEY_BYTES_MIN:
            raise ValueError(f"expected at least {SIGNING_KEY_BYTES_MIN} bytes, got {size}")
        return key

    @field_validator("account_public_key")
    @classmethod
    def _is_one_or_two(cls, keys: str) -> str:
        if not 1 <= len(keys.split(",")) <= PUBLIC_KEYS_MAX:
            raise ValueError(f"expected one key, or {PUBLIC_KEYS_MAX} with a comma between them, got more")
        for key in _keys(keys):
            Ed25519PublicKey.from_public_bytes(key)
        return keys

    @property
    def account_public_keys(self) -> tuple[bytes, ...]:
        """The newest first, as they stand there."""
        return _keys(self.account_public_key)


def _keys(text: str) -> tuple[bytes, ...]:
    """Raises ValueError."""
    try:
        keys = tuple(bytes.fromhex(key) for key in text.split(","))
    except ValueError:
        raise ValueError("expected hexadecimal digits, got something else") from None
    if any(len(key) != PUBLIC_KEY_BYTES for key in keys):
        raise ValueError(f"expected {PUBLIC_KEY_BYTES} bytes in each key, got another number")
    return keys
