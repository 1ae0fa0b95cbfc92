"""The browser client's files as the gateway serves them."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.gateway.test_security_headers import dressed

from gateway import problems
from gateway.security_headers import CLIENT, NOTHING, SecurityHeaders
from gateway.web_client import ASKED_EACH_TIME, FOR_A_YEAR, NOT_BUILT, WebClient

INDEX = "<!doctype html><title>Capicua</title>"
SCRIPT = "export const one = 1;"
AS_BROWSERS = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A build with one compressed script, beside a file that is nobody's business."""
    build = tmp_path / "dist"
    (build / "assets").mkdir(parents=True)
    (build / "index.html").write_text(INDEX)
    (build / "client.json").write_text('{"build":"one"}')
    (build / "assets/main-1a2b.js").write_text(SCRIPT)
    (build / "assets/main-1a2b.js.br").write_bytes(b"as brotli")
    (build / "assets/main-1a2b.js.gz").write_bytes(b"as gzip")
    (build / "assets/main-1a2b.js.map").write_text("{}")
    (tmp_path / "secret.json").write_text("{}")
    return build


def serving(folder: Path | None) -> httpx.AsyncClient:
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    problems.install(api)

    @api.post("/v1/guests")
    async def guests() -> None:
        return None

    WebClient(folder).install(api)
    transport = httpx.ASGITransport(SecurityHeaders(api, https=False))
    return httpx.AsyncClient(transport=transport, base_url="http://gateway", headers={"Accept-Encoding": ""})


@pytest.fixture
async def http(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(folder) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/queue", "/table/01jdxk9t3v", "/guide/all-fives", "/join/K7M2QX"])
async def test_a_page_is_asked_for_each_time_and_loads_from_here_alone(http: httpx.AsyncClient, path: str) -> None:
    page = await http.get(path)
    assert (page.status_code, page.text) == (200, INDEX)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    dressed(page, api=False, policy=CLIENT, cache=ASKED_EACH_TIME)
    again = await http.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    dressed(again, api=False, policy=CLIENT, cache=ASKED_EACH_TIME)


def test_the_policy_of_pages_opens_no_door() -> None:
    assert CLIENT.startswith(f"{NOTHING}; ")
    assert "unsafe" not in CLIENT
    assert "*" not in CLIENT
    assert "data:" not in CLIENT
    assert "require-trusted-types-for 'script'" in CLIENT


async def test_a_file_with_its_hash_in_its_name_is_kept_for_a_year(http: httpx.AsyncClient) -> None:
    script = await http.get("/assets/main-1a2b.js")
    assert (script.status_code, script.text) == (200, SCRIPT)
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    dressed(script, api=False, cache=FOR_A_YEAR)


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("gzip, deflate, br", "br", b"as brotli"),
        ("gzip;q=1.0, br;q=0", "gzip", b"as gzip"),
        ("GZIP", "gzip", b"as gzip"),
        ("*", "br", b"as brotli"),
        ("zstd", "", SCRIPT.encode()),
        ("", "", SCRIPT.encode()),
    ],
)
async def test_the_best_variant_that_is_wanted(
    http: httpx.AsyncClient, accepted: str, encoding: str, body: bytes
) -> None:
    async with http.stream("GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": accepted}) as script:
        raw = b"".join([part async for part in script.aiter_raw()])
    assert (script.headers.get("content-encoding", ""), raw) == (encoding, body)
    assert script.headers["vary"] == "Accept-Encoding"


async def test_each_variant_has_a_tag_of_its_own(http: httpx.AsyncClient) -> None:
    plain = (await http.head("/assets/main-1a2b.js")).headers["etag"]
    packed = (await http.head("/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip"})).headers["etag"]
    assert plain != packed
    same = await http.get("/assets/main-1a2b.js", headers={"If-None-Match": f'"other", W/{plain}'})
    assert same.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/assets/main-1a2b.js.map",
        "/assets/main-1a2b.js.br",
        "/assets/gone-0000.js",
        "/../secret.json",
        "/%2e%2e/secret.json",
        "/assets/..%2f..%2fsecret.json",
        "/assets/%2e%2e/%2e%2e/secret.json",
        "/index.html",
        "/nowhere",
    ],
)
async def test_nothing_else_is_served(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    dressed(answer, api=False)


async def test_a_browser_that_is_nowhere_is_shown_a_page_that_says_so(http: httpx.AsyncClient) -> None:
    page = await http.get("/nowhere", headers=AS_BROWSERS)
    assert (page.status_code, page.text) == (404, INDEX)
    script = await http.get("/assets/gone-0000.js", headers=AS_BROWSERS)
    assert script.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1", 404), ("GET", "/v1/nowhere", 404), ("GET", "/v1/guests", 405), ("POST", "/", 405)],
)
async def test_the_api_answers_for_itself(http: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await http.request(method, path, headers=AS_BROWSERS)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


async def test_a_new_build_is_served_at_once_and_open_pages_keep_their_files(
    http: httpx.AsyncClient, folder: Path
) -> None:
    assert (await http.get("/client.json")).json() == {"build": "one"}
    (folder / "assets/main-1a2b.js").unlink()
    (folder / "assets/main-3c4d.js").write_text("export const two = 2;")
    (folder / "client.json").write_text('{"build":"two"}')
    (folder / "new.html").write_text(INDEX + "<p>")
    os.replace(folder / "new.html", folder / "index.html")
    assert (await http.get("/client.json")).json() == {"build": "two"}
    assert (await http.get("/")).text == INDEX + "<p>"
    assert (await http.get("/assets/main-1a2b.js")).text == SCRIPT
    assert (await http.get("/assets/main-3c4d.js")).status_code == 200


async def test_without_a_build_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        async with serving(folder) as http:
            answer = await http.get("/")
            assert (answer.status_code, answer.text) == (404, NOT_BUILT)
            dressed(answer, api=False)
            assert (await http.get("/assets/main.js")).status_code == 404
