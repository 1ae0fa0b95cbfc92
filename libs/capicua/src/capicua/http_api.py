"""The HTTP half of the API: requests that are safe to repeat, answers as values, problems as `Refused`."""

import asyncio
from random import Random
from typing import Any

import httpx

from capicua.address import Address
from capicua.backoff import pauses
from capicua.cancelled import cancelled
from capicua.errors import Closed, Refused, Unreachable
from contracts.message import StrictMessage

REQUEST_SECONDS_MAX = 10.0
UNKNOWN_RESULT = frozenset({502, 503, 504})
"""Nobody can say what became of the request: it is sent again as it was."""
TOO_MANY, SLOWER = 429, "too-many-requests"
"""Such a request was not looked at, if that is what the problem says: another one, such as too many wrong codes, is an
answer."""


class HttpApi:
    """Repeats a request whose result is unknown, with backoff, for `patience_seconds`; then raises `Unreachable`."""

    def __init__(self, address: Address, randomness: Random, patience_seconds: float) -> None:
        self.token: str | None = None
        self._address = address
        self._randomness = randomness
        self._patience_seconds = patience_seconds
        self._under_way: set[asyncio.Task[httpx.Response]] = set()
        self._closed = False
        self._client = httpx.AsyncClient(
            base_url=address.url,
            timeout=REQUEST_SECONDS_MAX,
            trust_env=not address.is_loopback,
            verify=address.is_encrypted or not address.is_loopback,
        )

    async def close(self) -> None:
        """Requests that are under way end with `Closed`: httpx alone would leave their connections open."""
        self._closed = True
        await cancelled(self._under_way)
        await self._client.aclose()

    async def get(self, path: str) -> dict[str, Any]:
        return await self._repeat("GET", path, None)

    async def post(self, path: str, body: StrictMessage) -> dict[str, Any]:
        return await self._repeat("POST", path, body)

    async def put(self, path: str, body: StrictMessage | None = None) -> dict[str, Any]:
        return await self._repeat("PUT", path, body)

    async def delete(self, path: str) -> dict[str, Any]:
        return await self._repeat("DELETE", path, None)

    async def _repeat(self, method: str, path: str, body: StrictMessage | None) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience_seconds
        for pause in pauses(self._randomness):
            try:
                response = await self._request(method, path, body)
            except httpx.TransportError as error:
                reason = str(error) or type(error).__name__
            else:
                if not _comes_again(response):
                    return _read(response)
                reason = f"status {response.status_code}"
            if loop.time() + pause > give_up_at:
                raise Unreachable(self._address.url, reason)
            await asyncio.sleep(pause)
        raise AssertionError("there is always a next pause")

    async def _request(self, method: str, path: str, body: StrictMessage | None) -> httpx.Response:
        if self._closed:
            raise Closed("the client was closed")
        sending = self._client.request(method, path, headers=self._headers(), content=_encoded(body))
        request = asyncio.ensure_future(sending)
        self._under_way.add(request)
        try:
            return await request
        except asyncio.CancelledError:
            asker = asyncio.current_task()
            if self._closed and asker is not None and not asker.cancelling():
                raise Closed("the client was closed") from None
            raise
        finally:
            self._under_way.discard(request)

    def _headers(self) -> dict[str, str]:
        token = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return {"content-type": "application/json", **token}


def _encoded(body: StrictMessage | None) -> bytes | None:
    return None if body is None else body.model_dump_json(exclude_none=True).encode()


def _comes_again(response: httpx.Response) -> bool:
    if response.status_code == TOO_MANY:
        return bool(_body(response).get("code", SLOWER) == SLOWER)
    return response.status_code in UNKNOWN_RESULT


def _body(response: httpx.Response) -> dict[str, Any]:
    try:
        content = response.json()
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _read(response: httpx.Response) -> dict[str, Any]:
    body = _body(response)
    if response.is_success:
        return body
    raise Refused(
        str(body.get("code", "no-problem-document")),
        str(body.get("detail", f"status {response.status_code}")),
        str(body.get("expected", "")),
        str(body.get("got", "")),
    )
