"""What a screen may do: all of it stands here, and all else is refused, whatever comes to be added elsewhere."""

from starlette.requests import HTTPConnection

from contracts.api import Ping, Unwatch, Watch
from contracts.room_api import FollowPrivateRoom, UnfollowPrivateRoom
from gateway.codes import Code
from gateway.http_identity import identity_of
from gateway.identity import BadToken
from gateway.problems import problem

MAY_ASK = frozenset(
    {
        ("GET", "/v1/docs"),
        ("GET", "/v1/private-rooms/{code}"),
        ("GET", "/v1/private-rooms/{code}/qr.svg"),
        ("GET", "/v1/private-rooms/{code}/qr.png"),
    }
)
"""Methods and paths, as the routes have them."""
MAY_SAY = (FollowPrivateRoom, UnfollowPrivateRoom, Watch, Unwatch, Ping)
"""Messages of a screen's socket, after its hello."""
EXPECTED = "to look at the screen's room and its tables"


async def closed_to_screens(connection: HTTPConnection) -> None:
    """A dependency of every route. Raises the problem `screen-only`; a bad token is the affair of who needs a good
    one."""
    if connection.scope["type"] != "http":
        return
    try:
        asker = identity_of(connection)
    except BadToken:
        return
    method, path = connection.scope["method"], connection.scope["route"].path
    if asker is not None and asker.screen and (method, path) not in MAY_ASK:
        raise problem(403, Code.SCREEN_ONLY, "request", EXPECTED, f"{method} {path}")
