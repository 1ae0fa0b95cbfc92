"""The browser client as it was built: pages, and the files that they load.

A file under `/assets/` has its content's hash in its name and never changes: browsers keep it for a year. All else is
asked for again each time, and is answered 304 while it is the same. Files lie in memory, each with the variants that
the build compressed. A new build in the same folder is seen by whoever asks next; the files of the one before are still
served, for pages that are open.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from gateway.codes import Code
from gateway.problems import problem
from gateway.security_headers import API, CLIENT

PAGES = frozenset({"", "queue", "rooms", "room", "practice", "table", "tv", "join", "me", "recover", "guide", "rules"})
"""First parts of the paths at which the client has a page; a test compares them with the client's routes."""
ASSETS = "assets/"
FOR_A_YEAR = "public, max-age=31536000, immutable"
ASKED_EACH_TIME = "no-cache"
INDEX = "index.html"
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""By what they are called in headers, the best first: the ends of the compressed files' names."""
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""Of everything that is served; a file of another kind, such as a source map, is not."""
NOT_BUILT = """The browser client is not built here.

In a checkout: make web
The API is described at /v1/docs.
"""


@dataclass(frozen=True, slots=True)
class Served:
    """One file: `variants` by encoding, the plain one under ""."""

    media_type: str
    variants: dict[str, bytes]
    tag: str

    def variant_for(self, headers: Headers) -> str:
        """The best encoding that is there and wanted."""
        wanted = _accepted(headers.get("accept-encoding", ""))
        return next((encoding for encoding in ENCODINGS if encoding in self.variants and encoding in wanted), "")


class _OutsideOfTheApi(Route):
    """What the API does not know is answered by the API."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if f"{scope['path']}/".startswith(API):
            return Match.NONE, {}
        return super().matches(scope)


@dataclass(slots=True)
class WebClient:
    """`folder` is where the build lies, none where there is none."""

    folder: Path | None
    _files: dict[str, Served] = field(default_factory=dict)
    _seen: tuple[int, int] | None = None

    def install(self, api: FastAPI) -> None:
        """Last of all routes: it answers every path that no other has."""
        api.router.routes.append(
            _OutsideOfTheApi("/{path:path}", self._answer, methods=["GET"], include_in_schema=False)
        )

    async def _answer(self, request: Request) -> Response:
        path = request.url.path.removeprefix("/")
        served = self._file(path)
        if served is not None:
            return _of(served, request, path)
        if path.partition("/")[0] in PAGES:
            return self._page(request, 200)
        if "text/html" in request.headers.get("accept", "") and not path.startswith(ASSETS):
            return self._page(request, 404)
        raise _not_found(request)

    def _page(self, request: Request, status: int) -> Response:
        index = self._files.get(INDEX)
        if index is None:
            return PlainTextResponse(NOT_BUILT, 404)
        return _of(index, request, INDEX, status)

    def _file(self, path: str) -> Served | None:
        """Only what was found in the folder has a name here: no path leads out of it."""
        if not path.startswith(ASSETS) or path not in self._files:
            self._look_again()
        return self._files.get(path) if path != INDEX else None

    def _look_again(self) -> None:
        if self.folder is None:
            return
        try:
            status = (self.folder / INDEX).stat()
        except OSError:
            return
        if self._seen != (seen := (status.st_mtime_ns, status.st_ino)):
            self._files = {path: file for path, file in self._files.items() if path.startswith(ASSETS)}
            self._files |= files_of(self.folder)
            self._seen = seen


def files_of(folder: Path) -> dict[str, Served]:
    """By their paths below the folder."""
    found: dict[str, Served] = {}
    for file in sorted(folder.rglob("*")):
        media_type = MEDIA_TYPES.get(file.suffix)
        if media_type is None or not file.is_file():
            continue
        variants = {"": file.read_bytes()}
        for encoding, end in ENCODINGS.items():
            compressed = file.with_name(file.name + end)
            if compressed.is_file():
                variants[encoding] = compressed.read_bytes()
        tag = hashlib.sha256(variants[""]).hexdigest()[:24]
        found[file.relative_to(folder).as_posix()] = Served(media_type, variants, tag)
    return found


def _of(served: Served, request: Request, path: str, status: int = 200) -> Response:
    encoding = served.variant_for(request.headers)
    tag = f'"{served.tag}-{encoding}"' if encoding else f'"{served.tag}"'
    headers = {
        "ETag": tag,
        "Vary": "Accept-Encoding",
        "Cache-Control": FOR_A_YEAR if path.startswith(ASSETS) else ASKED_EACH_TIME,
    }
    if served.media_type.startswith("text/html"):
        headers["Content-Security-Policy"] = CLIENT
    if status == 200 and _has(request.headers.get("if-none-match", ""), tag):
        return Response(None, 304, headers)
    if encoding:
        headers["Content-Encoding"] = encoding
    headers["Content-Type"] = served.media_type
    return Response(served.variants[encoding], status, headers)


def _has(tags: str, tag: str) -> bool:
    """As RFC 9110 compares them, weakly: a proxy that compresses anew marks them as weak."""
    return any(known.strip().removeprefix("W/") in (tag, "*") for known in tags.split(","))


def _accepted(header: str) -> set[str]:
    """The encodings of an Accept-Encoding, without those of no weight."""
    accepted: set[str] = set()
    for part in header.split(","):
        name, _, parameters = part.strip().partition(";")
        if parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            accepted.add(name.strip().lower())
    return accepted | set(ENCODINGS) if "*" in accepted else accepted


def _not_found(request: Request) -> Exception:
    got = f"{request.method} {request.url.path}"
    return problem(404, Code.NOT_FOUND, "request", "a path and method of /v1/openapi.json", got)
