"""`make demo`, as a test: the same code, the same checks."""

import logging

import pytest

from bus.local import Home
from capicua.server.demo.demonstration import demonstrate

SEED = 1


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("demo"))


@pytest.mark.timeout(290)
async def test_twenty_tables_survive_the_death_of_every_process(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "aiokafka")
    said: list[str] = []
    report = await demonstrate(home, SEED, said.append)
    assert report.failures == [], "\n".join([*said, *report.lines])
