"""Where things stand, and how large they may grow."""

from pathlib import Path

import pytest
from tests.architecture.source import PACKAGES, ROOT, SERVICES, modules, source_folder

from capicua.server.processes import PROCESSES, Need, Process
from contracts.topics import DECIDERS, TOPICS

LINES_MAX = 300
SHAPELESS = {"utils", "util", "common", "helpers", "helper", "manager", "misc", "base", "core"}
OF_NO_ONE_PACKAGE = {"architecture", "deploy", "gameday", "kafka", "rollout", "stories", "simulation", "browser", "web"}
OF_A_WHOLE_SURFACE = "fuzz"
TOLD_ELSEWHERE = ("/wo" + "rk/", "py" + "pi.org", "pythonhosted" + ".org", "registry.npm" + "js.org", "maven" + ".org")
SUFFIXES = {".py", ".toml", ".yaml", ".md", ".json", ".txt", ".lock", ".conf", ".js", ".ts", ".html", ""}
FOLDERS = ("libs", "services", "tests", "bench", "deploy", "docs", ".ci")


def python_files() -> list[Path]:
    return [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


def committed_texts() -> list[Path]:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    return [path for path in files if path.suffix in SUFFIXES and "__pycache__" not in path.parts]


def test_no_module_is_longer_than_anyone_wants_to_read() -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in python_files()}
    assert {path: lines for path, lines in lengths.items() if lines > LINES_MAX} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {path.stem for path in python_files()} | {path.parent.name for path in python_files()}
    assert names & SHAPELESS == set()


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_every_process_has_a_parts_list_and_can_be_started_by_its_name(process: Process) -> None:
    assert f"{process.module}.app" in modules()
    assert f"{process.module}.__main__" in modules()


def test_every_decider_is_found_in_the_file_of_that_name() -> None:
    assert set(DECIDERS) == {name for name in SERVICES if f"{name}.decider" in modules()}


def test_who_owns_topics_and_a_database_keeps_its_books_in_the_file_of_that_name() -> None:
    ledgers = {process.name for process in PROCESSES if Need.POSTGRES in process.needs}
    assert ledgers == {name for name in SERVICES if f"{name}.ledger" in modules()}
    assert ledgers <= {topic.owner for topic in TOPICS}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_tells_type_checkers_that_it_is_typed(package: str) -> None:
    assert (source_folder(package) / "py.typed").is_file()


def test_tests_stand_where_what_they_test_stands() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        folders = [part for part in path.relative_to(ROOT / "tests").parts[:-1] if part != OF_A_WHOLE_SURFACE]
        assert folders, path.name
        if folders[0] not in OF_NO_ONE_PACKAGE:
            assert source_folder(folders[0]).parent.joinpath(*folders).is_dir(), path.relative_to(ROOT)


def test_nothing_names_a_place_on_somebodys_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)} names {word}"
        for path in committed_texts()
        for word in TOLD_ELSEWHERE
        if word in path.read_text(errors="replace")
    ]
    assert found == []
