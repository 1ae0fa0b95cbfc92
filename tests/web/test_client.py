"""The browser client by its own tools: types, lint, units, and the build with its budget."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.test_files import LINES_MAX, SHAPELESS, TOLD_ELSEWHERE
from web.node import WEB, run

from gateway.web_client import PAGES

SOURCES = ("src", "tests", "browser", "bundling")
CATALOGUES = WEB / "src/texts"
GENERATED = WEB / "src/wire/generated.ts"
TABLE_LINE = re.compile(r"^\* +[\d.]+ +first download, of .+$", re.MULTILINE)


def sources() -> Iterator[Path]:
    for folder in SOURCES:
        yield from (path for path in sorted((WEB / folder).rglob("*")) if path.suffix in (".ts", ".tsx"))
    yield from WEB.glob("*.ts")


def passes(*command: str) -> str:
    """What the tool says."""
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_types() -> None:
    passes("node_modules/typescript/bin/tsc", "--noEmit")


def test_lint_and_format() -> None:
    passes("node_modules/@biomejs/biome/bin/biome", "ci", ".")


def test_units(capsys: pytest.CaptureFixture[str]) -> None:
    said = passes("node_modules/vitest/vitest.mjs", "run", "--reporter=dot")
    counted = re.findall(r"^ +(?:Test Files|Tests) +.+$", said, re.MULTILINE)
    with capsys.disabled():
        sys.stdout.write(f"\nvitest: {'; '.join(' '.join(line.split()) for line in counted)}\n")
    assert len(counted) == 2
    assert not re.search(r"\b(skipped|todo)\b", said)


def test_the_build_is_within_its_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = passes("node_modules/vite/bin/vite.js", "build", "--outDir", str(tmp_path / "dist"))
    (line,) = TABLE_LINE.findall(said)
    with capsys.disabled():
        sys.stdout.write(f"\nbuild: {' '.join(line.removeprefix('*').split())}\n")
    files = {path.relative_to(tmp_path / "dist").as_posix() for path in (tmp_path / "dist").rglob("*")}
    assert {"index.html", "index.html.br", "index.html.gz", "client.json", "icon.svg", "manifest.webmanifest"} <= files
    assert not any(file.endswith(".map") for file in files)
    page = (tmp_path / "dist/index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page) == []


def test_the_gateway_knows_the_clients_pages() -> None:
    routes = (WEB / "src/shell/routes.ts").read_text()
    paths = re.findall(r'path: "/([^"]*)"', routes)
    assert {path.partition("/")[0] for path in paths} == PAGES


def test_no_file_is_longer_than_anyone_wants_to_read() -> None:
    lengths = {path.relative_to(WEB): len(path.read_text().splitlines()) for path in sources() if path != GENERATED}
    assert {path: lines for path, lines in lengths.items() if lines > LINES_MAX} == {}
    assert {path.stem for path in sources()} & SHAPELESS == set()


def test_nothing_names_a_place_on_somebodys_machine_or_a_registry() -> None:
    files = [*sources(), *CATALOGUES.rglob("*.json"), *WEB.glob("*.json"), *WEB.glob("*.py"), WEB / ".npmrc"]
    assert [(path, word) for path in files for word in TOLD_ELSEWHERE if word in path.read_text()] == []
