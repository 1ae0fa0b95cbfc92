"""`python -m tests.rollout.next_release`: the next release's table as a process."""

from unittest.mock import patch

from tests.rollout.next_release.decider import NextTableDecider

import table.app
from bus.process import main
from bus.settings import BusSettings

if __name__ == "__main__":
    with patch.object(table.app, "TableDecider", NextTableDecider):  # the same parts, whatever they are, around another
        main("table", BusSettings, table.app.build)
