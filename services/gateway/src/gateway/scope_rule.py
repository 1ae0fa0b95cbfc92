"""What a personal token may do: all of it stands here, by scope, and all else is for sessions, whatever comes to be
added elsewhere."""

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from contracts.account_api import Scope
from contracts.api import ClientMessage
from contracts.room_api import FollowPrivateRoom, Say, UnfollowPrivateRoom
from gateway.codes import Code
from gateway.frames import Unusable, socket_error
from gateway.http_identity import identity_of
from gateway.identity import BadToken, Identity
from gateway.problems import problem

_ROOM = "/v1/private-rooms/{code}"
_BY_SCOPE: Mapping[Scope, tuple[str, ...]] = {
    "play": (
        "GET /v1/me",
        "GET /v1/me/tables",
        "GET /v1/queue",
        "POST /v1/queue",
        "POST /v1/queue/widen",
        "POST /v1/queue/bots",
        "POST /v1/queue/leave",
        "POST /v1/stand-by",
        "GET /v1/rooms",
        "GET /v1/rooms/{preset}/tables",
        "POST /v1/tables",
        "POST /v1/tables/leave",
        "POST /v1/tables/{table_id}/seat",
        "GET /v1/tables/{table_id}/replay",
        "GET /v1/reports",
        "POST /v1/reports",
    ),
    "rooms": (
        "POST /v1/private-rooms",
        f"GET {_ROOM}",
        f"POST {_ROOM}",
        f"GET {_ROOM}/qr.svg",
        f"GET {_ROOM}/qr.png",
        f"POST {_ROOM}/screens",
    ),
    "account": (
        "GET /v1/me/name",
        "PUT /v1/me/name",
        "GET /v1/me/profile",
        "PATCH /v1/me/profile",
        "GET /v1/me/mutes",
        "PUT /v1/me/mutes/{account}",
        "DELETE /v1/me/mutes/{account}",
    ),
}
MAY_ASK: Mapping[str, Scope] = {ask: scope for scope, asks in _BY_SCOPE.items() for ask in asks}
"""The scope by method and path, as the routes have them."""
OPEN = frozenset({"GET /", "GET /v1/docs", "POST /v1/guests", "POST /v1/session/renew"})
"""What needs no token, so that one does not make it less."""
TO_CONNECT: Scope = "play"
"""A socket needs it, whatever is said over it."""
IN_ROOMS = (FollowPrivateRoom, UnfollowPrivateRoom, Say)
"""Messages that need the scope `rooms` too."""


async def within_scopes(connection: HTTPConnection) -> None:
    """A dependency of every route. Raises the problem `scope-missing`; a bad token is the affair of who needs a good
    one."""
    if connection.scope["type"] != "http":
        return
    try:
        asker = identity_of(connection)
    except BadToken:
        return
    if asker is None or asker.scopes is None:
        return
    ask = f"{connection.scope['method']} {connection.scope['route'].path}"
    needed = MAY_ASK.get(ask)
    if ask not in OPEN and needed not in asker.scopes:
        raise problem(403, Code.SCOPE_MISSING, "token", _expected(needed), "a token without it")


def may_connect(identity: Identity) -> bool:
    """Whether a socket may be opened with this token."""
    return identity.scopes is None or TO_CONNECT in identity.scopes


def may_say(identity: Identity, message: ClientMessage) -> None:
    """Before anything comes of a socket's message. Raises `Unusable`: `scope-missing`."""
    if identity.scopes is not None and isinstance(message, IN_ROOMS) and "rooms" not in identity.scopes:
        request = message.id if isinstance(message, Say) else None
        raise Unusable(
            socket_error(Code.SCOPE_MISSING, "token", _expected("rooms"), "a token without it", request=request)
        )


def _expected(scope: Scope | None) -> str:
    return f"one with the scope {scope}" if scope is not None else "one of a session"
