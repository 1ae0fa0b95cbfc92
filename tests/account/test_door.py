"""The inner door opens to its key alone, and every refusal is a problem document that gives nothing away."""

import httpx
import pytest
from fastapi import APIRouter
from tests.keys import INNER_KEY

from account.door import PREFIX, create_door
from contracts.account_inner import Renew


@pytest.fixture
def door() -> httpx.AsyncClient:
    routes = APIRouter()

    @routes.post("/sessions/renew")
    async def renew(wanted: Renew) -> None:
        raise KeyError(wanted.secret)

    transport = httpx.ASGITransport(create_door(INNER_KEY, [routes]), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=f"http://inner{PREFIX}")


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer ", f"Basic {INNER_KEY}", f"Bearer {INNER_KEY} ", f"Bearer {INNER_KEY[:-1]}",
              "Bearer \udcff", INNER_KEY],
)  # fmt: skip
async def test_nothing_opens_it_but_the_key(door: httpx.AsyncClient, given: str | None) -> None:
    headers = {b"authorization": given.encode(errors="surrogateescape")} if given is not None else {}
    for path in ("/sessions/renew", "/nowhere"):
        answer = await door.post(path, headers=list(headers.items()), json={"secret": "x" * 20})
        assert (answer.status_code, answer.json()["code"]) == (401, "wrong-inner-key")
        assert INNER_KEY not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/nowhere", None, 404, "not-found"),
        ("GET", "/sessions/renew", None, 405, "method-not-allowed"),
        ("POST", "/sessions/renew", {"secret": "of-twelve-12"}, 422, "bad-request"),
        ("POST", "/sessions/renew", {"secret": "a-secret-of-twenty", "sceret": 1}, 422, "bad-request"),
        ("POST", "/sessions/renew", {"secret": "a-secret-of-twenty"}, 500, "internal"),
    ],
)
async def test_a_refusal_is_a_problem_that_repeats_nothing(
    door: httpx.AsyncClient, method: str, path: str, body: object, status: int, code: str
) -> None:
    answer = await door.request(method, path, json=body, headers={"Authorization": f"Bearer {INNER_KEY}"})
    assert (answer.status_code, answer.json()["code"], answer.json()["status"]) == (status, code, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret-of-twenty" not in answer.text
    assert "of-twelve" not in answer.text
