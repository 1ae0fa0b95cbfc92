"""What the gateway reads from its environment."""

from pydantic import Field, SecretStr, field_validator

from bus.settings import BusSettings

SIGNING_KEY_BYTES_MIN = 32


class GatewaySettings(BusSettings):
    """`signing_key`: hex, at least 32 bytes. Without a `house_key` nobody can be a house bot. `region` is the one lobby
    that this gateway's people queue in. Links into private rooms begin with `public_url`, without one with the
    address by which somebody has come."""

    gateway_host: str = "127.0.0.1"
    gateway_port: int = Field(default=8080, ge=0, le=65535, description="0: a free port")
    redis_url: str = Field(validation_alias="REDIS_URL")
    signing_key: SecretStr
    house_key: SecretStr | None = None
    region: str = Field(default="eu", pattern=r"^[a-z0-9-]{1,32}$")
    public_url: str | None = Field(default=None, pattern=r"^https?://[^/]+(/[^/?#]+)*$", description="where people are")
    proxies: int = Field(default=0, ge=0, le=8, description="how many of ours stand before it and say for whom")
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
