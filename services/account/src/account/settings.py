"""What the account service reads from its environment."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from account.mail_settings import MailSettings
from bus.settings import BusSettings

PRIVATE_KEY_BYTES = 32
INNER_KEY_CHARACTERS_MIN = 32


class AccountSettings(BusSettings, MailSettings):
    """`account_key`: the private Ed25519 key that signs access tokens, in hexadecimal digits. `inner_key`: by which
    gateways and operators are known at the inner door. `names_file`: more names that nobody may choose, as
    `account.reserved` reads them."""

    model_config = BusSettings.model_config  # of two bases the second one's would count, which has no prefix

    account_host: str = "127.0.0.1"
    account_port: int = Field(default=0, ge=0, le=65535, description="of the inner door; 0: a free port")
    postgres_dsn: SecretStr = Field(validation_alias="POSTGRES_DSN")
    account_key: SecretStr
    inner_key: SecretStr = Field(min_length=INNER_KEY_CHARACTERS_MIN)
    names_file: Path | None = None

    @field_validator("account_key")
    @classmethod
    def _is_a_key(cls, key: SecretStr) -> SecretStr:
        try:
            size = len(bytes.fromhex(key.get_secret_value()))
        except ValueError:
            raise ValueError("expected hexadecimal digits, got something else") from None
        if size != PRIVATE_KEY_BYTES:
            raise ValueError(f"expected {PRIVATE_KEY_BYTES} bytes, got {size}")
        return key
