"""What a screen may do: all of it stands here, and all else is refused, whatever comes to be added elsewhere."""

from starlette.requests import HTTPConnection

from contracts.api import Ping, Unwatch, Watch
from contracts.room_api import FollowPrivateRoom, UnfollowPrivateRoom
from gateway.codes import Code
from gateway.identity import BadToken, Tokens
from gateway.problems import problem

MAY_ASK = frozenset(
    {
        ("GET", "/"),
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
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if connection.scope["type"] != "http" or scheme.lower() != "bearer":
        return
    tokens: Tokens = connection.app.state.tokens
    try:
        screen = tokens.read(token.strip()).screen
    except BadToken:
        return
    method, path = connection.scope["method"], connection.scope["route"].path
    if screen and (method, path) not in MAY_ASK:
        raise problem(403, Code.SCREEN_ONLY, "request", EXPECTED, f"{method} {path}")
