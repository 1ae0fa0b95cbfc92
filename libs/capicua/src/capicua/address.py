"""Where the server is: one address for HTTP, its twin for the WebSocket."""

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Address:
    """`url` without a closing slash, such as `http://127.0.0.1:8080`."""

    url: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError, saying what was expected, when the text is no http or https address."""
        try:
            parts = urlsplit(text)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port over 65535, half an IPv6 address
            usable = False
        if not usable:
            raise ValueError(f"expected an address such as http://127.0.0.1:8080, got {text!r}")
        return cls(text.rstrip("/"))

    @property
    def socket_url(self) -> str:
        return "ws" + self.url.removeprefix("http") + "/v1/ws"

    @property
    def is_encrypted(self) -> bool:
        """Else no certificates need to be read, which takes a client 20 ms."""
        return urlsplit(self.url).scheme == "https"

    @property
    def is_loopback(self) -> bool:
        """A proxy of the environment must not be asked for this machine itself."""
        return urlsplit(self.url).hostname in LOOPBACK
