"""Every way that the threat model knows is closed by a test that there is."""

import ast
import re

import pytest
from tests.architecture.source import ROOT

PAGE = (ROOT / "docs/THREAT_MODEL.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)), ids=lambda part: part.rpartition("/")[2])
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert name in tests


def test_every_way_in_is_closed_by_at_least_one() -> None:
    for heading in ("Seeing what", "Being somebody", "Winning by", "Keeping others", "Reading what"):
        section = re.search(rf"^## {heading}.*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
        assert section is not None
        rows = [row for row in section[0].splitlines() if row.startswith("| ")]
        assert rows[0] == "| way | closed by |"
        assert len(rows) >= 5
        for row in rows[1:]:
            assert "::test_" in row, row


def test_nothing_is_named_in_another_way() -> None:
    assert len(NAMED) == PAGE.count("::test_")
