"""The HTTP half of the API: requests that are safe to repeat, answers as values, problems as `Refused`."""

import asyncio
import contextlib
import re
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Any

import httpx

from capicua.address import Address
from capicua.backoff import pauses
from capicua.cancelled import cancelled
from capicua.credentials import Credentials
from capicua.errors import Closed, Refused, SignedOut, Unreachable
from capicua.ids import new_id
from capicua.user_agent import name_of_client
from contracts.account_api import Access, RenewRequest
from contracts.message import StrictMessage

REQUEST_SECONDS_MAX = 10.0
RENEW_PATH = "/v1/session/renew"
UNKNOWN_RESULT = frozenset({502, 503, 504})
"""Nobody can say what became of the request: it is sent again as it was."""
NO_MAIL = "mail-unavailable"
"""With status 503: the installation sends no mail, and asking again will not make it."""
SLOWER = "too-many-requests"
"""With status 429: the request was not looked at. Another problem, such as too many wrong codes, is an answer."""
UNDER_WAY = "idempotency-under-way"
"""With status 409: the answer to what was sent before is not there yet."""
WHOLE_SECONDS = re.compile("[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Asking:
    """A request, as it is sent however often. `key`: by which the server knows it again."""

    method: str
    path: str
    body: StrictMessage | None = None
    key: str | None = None

    def headers(self, token: str | None) -> dict[str, str]:
        proof = {"authorization": f"Bearer {token}"} if token else {}
        key = {"idempotency-key": self.key} if self.key else {}
        return {"content-type": "application/json", **proof, **key}


class HttpApi:
    """Repeats a request whose result is unknown, with backoff, for `patience_seconds`; then raises `Unreachable`.

    Each is sent with a token of `credentials`, and once more with a new one when the server takes that one no more.
    """

    def __init__(self, address: Address, randomness: Random, patience_seconds: float) -> None:
        self.credentials = Credentials(self._exchange, randomness)
        self.patience_seconds = patience_seconds
        self._address = address
        self._randomness = randomness
        self._under_way: set[asyncio.Task[httpx.Response]] = set()
        self._closing = asyncio.Event()
        self._client = httpx.AsyncClient(
            base_url=address.url,
            headers={"user-agent": name_of_client()},
            timeout=REQUEST_SECONDS_MAX,
            trust_env=not address.is_loopback,
            verify=address.is_encrypted or not address.is_loopback,
        )

    async def close(self) -> None:
        """Requests that are under way end with `Closed`: httpx alone would leave their connections open."""
        self._closing.set()
        await self.credentials.close()
        await cancelled(self._under_way)
        await self._client.aclose()

    async def get(self, path: str) -> dict[str, Any]:
        return _body(await self._asked(Asking("GET", path)))

    async def get_bytes(self, path: str) -> bytes:
        return (await self._asked(Asking("GET", path))).content

    async def post(self, path: str, body: StrictMessage, *, once: bool = False) -> dict[str, Any]:
        """`once`: what has no `id` and must not be done twice gets a key, by which its answer comes again."""
        return _body(await self._asked(Asking("POST", path, body, new_id() if once else None)))

    async def post_as_nobody(self, path: str, body: StrictMessage, *, once: bool = False) -> dict[str, Any]:
        """Without a token, even if there is one."""
        return _body(_good(await self._repeat(Asking("POST", path, body, new_id() if once else None), None)))

    async def put(self, path: str, body: StrictMessage | None = None) -> dict[str, Any]:
        return _body(await self._asked(Asking("PUT", path, body)))

    async def patch(self, path: str, body: StrictMessage) -> dict[str, Any]:
        return _body(await self._asked(Asking("PATCH", path, body)))

    async def delete(self, path: str, body: StrictMessage | None = None) -> dict[str, Any]:
        return _body(await self._asked(Asking("DELETE", path, body)))

    async def _exchange(self, secret: str) -> Access:
        return Access.model_validate(await self.post_as_nobody(RENEW_PATH, RenewRequest(secret=secret)))

    async def _asked(self, asking: Asking) -> httpx.Response:
        token = await self.credentials.access()
        response = await self._repeat(asking, token)
        if response.status_code == HTTPStatus.UNAUTHORIZED and await self.credentials.replaced(token):
            response = await self._repeat(asking, await self.credentials.access())
        return _good(response)

    async def _repeat(self, asking: Asking, token: str | None) -> httpx.Response:
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self.patience_seconds
        for pause in pauses(self._randomness):
            wait, response = pause, None
            try:
                response = await self._request(asking, token)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if not _comes_again(response):
                    return response
                reason = f"status {response.status_code} {_body(response).get('code', '')}".strip()
                wait += _wished_seconds(response)
            if loop.time() + wait > give_up_at:
                if response is not None and response.status_code not in UNKNOWN_RESULT:
                    return response
                raise Unreachable(self._address.url, reason, is_there=response is not None)
            await self._rest(wait)
        raise AssertionError("there is always a next pause")

    async def _rest(self, seconds: float) -> None:
        """No longer than until it is closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()

    async def _request(self, asking: Asking, token: str | None) -> httpx.Response:
        if self._closing.is_set():
            raise Closed("the client was closed")
        sending = self._client.request(
            asking.method, asking.path, headers=asking.headers(token), content=_encoded(asking.body)
        )
        request = asyncio.ensure_future(sending)
        self._under_way.add(request)
        try:
            return await request
        except asyncio.CancelledError:
            asker = asyncio.current_task()
            if self._closing.is_set() and asker is not None and not asker.cancelling():
                raise Closed("the client was closed") from None
            raise
        finally:
            self._under_way.discard(request)


def _encoded(body: StrictMessage | None) -> bytes | None:
    return None if body is None else body.model_dump_json(exclude_none=True).encode()


def _comes_again(response: httpx.Response) -> bool:
    code = _body(response).get("code", SLOWER)
    match response.status_code:
        case HTTPStatus.TOO_MANY_REQUESTS:
            return bool(code == SLOWER)
        case HTTPStatus.CONFLICT:
            return bool(code == UNDER_WAY)
        case HTTPStatus.SERVICE_UNAVAILABLE:
            return bool(code != NO_MAIL)
        case status:
            return status in UNKNOWN_RESULT


def _wished_seconds(response: httpx.Response) -> int:
    """For how long the server wants to be left alone."""
    said = response.headers.get("retry-after", "")
    return int(said) if WHOLE_SECONDS.fullmatch(said) else 0


def _body(response: httpx.Response) -> dict[str, Any]:
    try:
        content = response.json()
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _good(response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    problem = _body(response)
    kind = SignedOut if response.status_code == HTTPStatus.UNAUTHORIZED else Refused
    raise kind(
        str(problem.get("code", "no-problem-document")),
        str(problem.get("detail", f"status {response.status_code}")),
        str(problem.get("expected", "")),
        str(problem.get("got", "")),
    )
