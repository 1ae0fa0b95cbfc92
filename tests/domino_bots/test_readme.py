"""The README's example runs as it is printed."""

import doctest
from pathlib import Path

README = Path(__file__).parents[2] / "libs/domino_bots/README.md"


def test_the_readme_is_true() -> None:
    found = doctest.testfile(str(README), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0
