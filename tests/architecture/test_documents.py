"""What the pages say of the code is true, and their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.architecture.source import ROOT

from bus import telemetry
from capicua.server.processes import PROCESSES
from contracts.topics import BY_NAME, TOPICS

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("libs/*/*.md")])
FIGURE_ROW = re.compile(r"^\| `(capicua_\w+)`( H)? \|", re.MULTILINE)
ALARM_ROW = re.compile(r"^\| ((?:`[a-z-]+`(?:, )?)+) \| .+ \| .+ \| .+ \|$", re.MULTILINE)
EXPOSED = """
from bus import telemetry
from opentelemetry.metrics import Instrument
from prometheus_client import REGISTRY, generate_latest

telemetry.start("page")
for instrument in vars(telemetry).values():
    if isinstance(instrument, Instrument):
        count = getattr(instrument, "add", None) or getattr(instrument, "record", None) or instrument.set
        count(1)
print(generate_latest(REGISTRY).decode())
"""
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


def test_the_operations_page_has_every_figure_by_the_name_that_prometheus_knows() -> None:
    said = {name: "histogram" if is_histogram else "other" for name, is_histogram in FIGURE_ROW.findall(operations())}
    page = subprocess.run([sys.executable, "-c", EXPOSED], check=True, capture_output=True, text=True).stdout
    exposed = re.findall(r"^# TYPE (capicua_\w+) (\w+)$", page, re.MULTILINE)
    assert said == {name: kind if kind == "histogram" else "other" for name, kind in exposed}


def test_the_operations_page_names_no_figure_that_there_is_not() -> None:
    label = telemetry.CODE.replace(".", "_")
    known = {label, *(name for name, _ in FIGURE_ROW.findall(operations()))}
    for name in re.findall(r"\bcapicua_[a-z_]+", operations()):
        assert name.removesuffix("_bucket") in known, name


def test_the_operations_page_explains_every_alarm() -> None:
    _, _, alarms = operations().partition("## Alarms")
    rows = ALARM_ROW.findall(alarms.partition("## Figures")[0])
    said = {kind for row in rows for kind in re.findall(r"[a-z-]+", row)}
    code = "\n".join(path.read_text() for part in ("libs", "services") for path in ROOT.glob(f"{part}/*/src/**/*.py"))
    rung = set(re.findall(r'alarms\.add\(1, \{"kind": "([a-z-]+)"|\b_alarm\("([a-z-]+)"', code))
    assert {one or other for one, other in rung} <= said
    assert all(f'"{kind}"' in code for kind in said)


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


def operations() -> str:
    return (ROOT / "docs/OPERATIONS.md").read_text()


def topics(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z.-]+)`", cell)) & BY_NAME.keys()
