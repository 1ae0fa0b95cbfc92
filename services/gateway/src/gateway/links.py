"""Where links lead people: to the public address, or, where there is none, to the one that they came by."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from gateway.codes import Code
from gateway.problems import problem

BASE_CHARACTERS_MAX = 300
"""A host name has 253 at most, and a QR code has its bounds too."""

OF_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Links:
    """`public_url` is the address that people have, without a closing slash."""

    public_url: str | None = None

    def base(self, asked: HTTPConnection) -> str:
        """What links begin with for whoever asks. Raises the problem `bad-request` for a host that no link has room
        for."""
        if self.public_url is not None:
            return self.public_url
        base = str(asked.base_url).rstrip("/")
        if len(base) > BASE_CHARACTERS_MAX:
            raise problem(422, Code.BAD_REQUEST, "host", f"at most {BASE_CHARACTERS_MAX} characters", "more")
        return base

    def certain(self, asked: HTTPConnection) -> str | None:
        """What links begin with that are given to somebody else than whoever asks, as in a mail: a request can name any
        host as the one it came by, but for this machine's own. None where there is no public address."""
        if self.public_url is not None:
            return self.public_url
        return self.base(asked) if asked.url.hostname in OF_THIS_MACHINE else None

    def into(self, code: str, asked: HTTPConnection) -> str:
        """The link into the room with this code."""
        return _into(self.base(asked), code)

    def public(self, code: str) -> str | None:
        """The same for everybody, none where it depends on who asks."""
        return _into(self.public_url, code) if self.public_url is not None else None


BY_ADDRESS = Links()


def _into(base: str, code: str) -> str:
    return f"{base}/join/{code}"
