"""The previous release and this one on one log, in both directions, while people play."""

from pathlib import Path

import pytest
from bench.gameday.services import Service
from tests.rollout.conftest import make_topics
from tests.rollout.releases import ROOT, python_path
from tests.rollout.town import town

from bus.local import Home

TABLES = 4


@pytest.mark.timeout(300)
async def test_a_roll_out_and_its_roll_back_lose_nothing_and_stop_no_table(
    previous: Path, broker: str, own_home: Home
) -> None:
    releases = {"old": previous, "new": ROOT}
    services = {
        f"{release}-{name}": Service(module, broker, {"PYTHONPATH": python_path(root)})
        for release, root in releases.items()
        for name, module in (("a", "table"), ("b", "table"), ("timer", "timer"))
    }
    make_topics(previous, broker)
    async with town(own_home, broker, services) as here:
        for name in ("old-a", "old-b", "old-timer"):
            await here.services.start(name)
        make_topics(ROOT, broker)
        async with here.playing(TABLES):
            await here.tables.more(1)
            await here.replace("old-a", "new-a")
            await here.tables.more(1)
            await here.replace("old-timer", "new-timer")
            await here.replace("old-b", "new-b")
            await here.tables.more(1)
            await here.replace("new-a", "old-a")
            await here.tables.more(1)
            await here.replace("new-b", "old-b")
            await here.replace("new-timer", "old-timer")
            await here.tables.more(1)
        await here.services.terminate("old-timer")
        ledger = await here.ledger()
    assert ledger.wrong == []
    assert ledger.outcomes == ledger.commands > 0
    assert set(here.codes) <= {"accepted", "too-late"}
    assert [error for name in services for error in here.services.errors(name)] == []
