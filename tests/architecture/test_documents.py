"""What the pages say of the code is true, and their links lead somewhere."""

import re
from pathlib import Path

import pytest
from tests.architecture.source import ROOT

from capicua.server.processes import PROCESSES
from contracts.topics import BY_NAME, TOPICS

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("libs/*/*.md")])
ROW = re.compile(r"^\| `([a-z-]+)` \| (\w+) \| (.+?) \| (.+?) \| .+ \|$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_finds_it(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_architecture_page_knows_who_reads_and_writes_what() -> None:
    said = {name: (topics(reads), topics(writes)) for name, _, reads, writes in ROW.findall(architecture())}
    assert said == {
        process.name: (
            {topic.name for topic in TOPICS if process.name in topic.readers},
            {topic.name for topic in TOPICS if process.name in topic.writers},
        )
        for process in PROCESSES
    }


def test_the_architecture_page_fits_on_a_page() -> None:
    assert len(architecture().splitlines()) <= 90


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/decisions/*.md")), ids=lambda page: page.stem)
def test_a_decision_has_a_number_a_reason_and_a_price_on_one_page(page: Path) -> None:
    text = page.read_text()
    assert re.match(rf"# {page.name[:4]} ", text)
    assert len(text.splitlines()) <= 60
    for part in ("**Decision.**", "**Why.**", "**What it costs.**"):
        assert part in text


def architecture() -> str:
    return (ROOT / "docs/ARCHITECTURE.md").read_text()


def topics(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z.-]+)`", cell)) & BY_NAME.keys()
