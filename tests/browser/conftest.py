"""The whole product with the client that these sources make, for people with real browsers."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.browser.playing import Playing
from web.build import built

from bus.local import Home
from capicua.server.stack import Stack

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="package")
def chromium() -> str:
    """Where it lies. Whoever has none is told."""
    named = [os.environ.get("CHROMIUM"), *(shutil.which(name) for name in BROWSERS)]
    found = next((place for place in named if place), None)
    if found is None:
        pytest.skip("no Chromium here for the stories in browsers: on Debian, apt-get install chromium")
    return found


@pytest.fixture(scope="package")
async def url(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> AsyncIterator[str]:
    """Of the gateway. House bots are quick."""
    built()
    settings = {"CAPICUA_PACE_MS": "30", "CAPICUA_STANDING": "6", "CAPICUA_LEAVE_SECONDS": "0"}
    async with Stack(Home(tmp_path_factory.mktemp("browser")), settings=settings) as stack:
        yield stack.gateway_url


@pytest.fixture(scope="package")
def playing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[Playing]:
    """Every story that was asked for."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    names = [item.callspec.params["story"] for item in items if "playing" in item.fixturenames]
    playing = Playing(names, url, tmp_path_factory.mktemp("kept"))
    yield playing
    playing.close()
