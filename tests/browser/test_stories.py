"""People at the whole product with real browsers: what happens to each of them is told in `web/browser/stories`."""

import asyncio

import pytest
from tests.browser.playing import STORIES, Playing


@pytest.mark.parametrize("story", STORIES)
async def test_story(story: str, playing: Playing) -> None:
    told = await asyncio.wrap_future(playing.told(story))
    assert told.returncode == 0, f"{told.stdout}{told.stderr}\nwhat was seen lies in {playing.kept / story}"
