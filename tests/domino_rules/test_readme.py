import doctest
from pathlib import Path

README = Path(__file__).parents[2] / "libs" / "domino_rules" / "README.md"


def test_the_readme_does_what_it_says() -> None:
    failures, attempts = doctest.testfile(str(README), module_relative=False)
    assert failures == 0
    assert attempts > 50
