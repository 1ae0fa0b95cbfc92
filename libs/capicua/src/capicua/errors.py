"""What can go wrong for a client, named for the situation."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

GOT_CHARACTERS_MAX = 40


class CapicuaError(Exception):
    """The base of every error of this library."""


class Refused(CapicuaError):
    """The server understood and said no. `code` is stable; `expected` and `got` say what was wrong."""

    def __init__(self, code: str, message: str, expected: str = "", got: str = "") -> None:
        said = expected in message and got in message
        detail = "" if said else f" (expected {expected or 'something else'}, got {got or 'this'})"
        super().__init__(f"{code}: {message}{detail}")
        self.code = code
        self.message = message
        self.expected = expected
        self.got = got


class SignedOut(Refused):
    """The server takes what this client proves its account with no more: the session or the personal token has ended,
    the account is deleted, or it never was one of this server."""


class Unreachable(CapicuaError):
    """Nobody answered at `url` for as long as the client was willing to wait; or `is_there`: somebody did, and could
    not do what was asked."""

    def __init__(self, url: str, reason: str, *, is_there: bool = False) -> None:
        super().__init__(f"{url} cannot do this now: {reason}" if is_there else f"no answer from {url}: {reason}")
        self.url = url
        self.reason = reason
        self.is_there = is_there


class Closed(CapicuaError):
    """The client was closed while something was still waited for."""


@contextmanager
def well_formed(code: str, *, is_secret: bool = False) -> Iterator[None]:
    """What cannot even be asked is refused here as the server would: `Refused` with that code. What `is_secret` is not
    quoted."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where, got = ".".join(map(str, first["loc"])), repr(first["input"])
        if is_secret or len(got) > GOT_CHARACTERS_MAX:
            got = f"{len(first['input'])} characters" if isinstance(first["input"], str) else "something else"
        expected = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise Refused(code, f"{where}: {expected}, got {got}", expected, got) from None
