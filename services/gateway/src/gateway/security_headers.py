"""What every answer tells browsers: all of it stands here, and a test compares it with what is really sent.

The API takes no cookies, only tokens that a page must have been given; so pages of any origin may ask it (CORS), and no
answer of ours can be shown inside another page, or be taken for anything but what it is.
"""

import base64
import hashlib
from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

API = "/v1/"
COMMON = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), "
    "screen-wake-lock=(self), usb=()",
}
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content security policy of all that is no page: it loads nothing, and runs nothing."""
CLIENT = "; ".join(
    (
        NOTHING,
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "manifest")),
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""That of the browser client's pages: they load from here alone, and no text of anybody becomes a script."""
NOT_KEPT = "no-store"
"""How long an answer may be kept that does not say so itself: it may hold what only the asker may see."""
OVER_HTTPS = "max-age=31536000"
"""Strict-Transport-Security, where people come by HTTPS."""
ANY_ORIGIN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Age, Idempotency-Replayed, Retry-After, WWW-Authenticate",
}
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "7200",
}


def policy_for_page(styles: Iterable[str]) -> str:
    """The content security policy of a page of ours that has these styles in it and loads nothing else."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in styles)
    return f"{NOTHING}; style-src {hashes}"


class SecurityHeaders:
    """ASGI middleware, around everything that answers. A page says its own policy, and an answer that may be kept for
    how long."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                self.add(MutableHeaders(scope=message), scope["path"])
            await send(message)

        if _is_preflight(scope):
            await Response(None, 204, PREFLIGHT)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def add(self, headers: MutableHeaders, path: str) -> None:
        """To the answer for this path."""
        headers.update(COMMON)
        headers.setdefault("Content-Security-Policy", NOTHING)
        headers.setdefault("Cache-Control", NOT_KEPT)
        if path.startswith(API):
            headers.update(ANY_ORIGIN)
        if self._https:
            headers["Strict-Transport-Security"] = OVER_HTTPS


def _is_preflight(scope: Scope) -> bool:
    """A browser asks whether a page of another origin may send a request: the same answer to all, by whatever path."""
    if scope["type"] != "http" or scope["method"] != "OPTIONS" or not scope["path"].startswith(API):
        return False
    return any(name == b"access-control-request-method" for name, _ in scope["headers"])
