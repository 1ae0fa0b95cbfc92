"""Kafka's jars, with the hashes that are pinned."""

import hashlib
import os
import re
import shutil
from pathlib import Path

import pytest

from bus.local import Home, LocalError
from bus.local.jars import KAFKA, LOCK_FILE, LOGGING, kafka_jars


@pytest.fixture(scope="session")
def jars(home: Home) -> list[Path]:
    return kafka_jars(home)


@pytest.fixture
def own_repository(jars: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Maven repository folder of the test's own, filled with links."""
    root = next(parent for parent in jars[0].parents if (parent / "org").is_dir() and (parent / "com").is_dir())
    for jar in jars:
        link = tmp_path / jar.relative_to(root)
        link.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(jar, link)
    monkeypatch.setenv("M2_REPO", str(tmp_path))
    return tmp_path


def test_the_pins_name_the_kafka_that_is_meant_and_no_place_to_get_it_from() -> None:
    text = LOCK_FILE.read_text()
    for coordinate in (KAFKA, LOGGING):
        _, artifact, version = coordinate.split(":")
        assert f'artifactId = "{artifact}"\nversion = "{version}"' in text
    assert text.count("[[dependencies]]") == len(re.findall(r'^sha256 = "[0-9a-f]{64}"$', text, re.MULTILINE))
    assert "://" not in text


@pytest.mark.servers
def test_every_jar_has_its_pinned_hash(jars: list[Path]) -> None:
    pinned = set(re.findall(r'sha256 = "(.*)"', LOCK_FILE.read_text()))
    assert {hashlib.sha256(jar.read_bytes()).hexdigest() for jar in jars} == pinned


@pytest.mark.servers
def test_half_a_jar_left_by_an_interrupted_download_is_fetched_again(own_repository: Path) -> None:
    (half,) = own_repository.rglob("argparse4j-*.jar")
    content = half.read_bytes()
    half.unlink()
    half.write_bytes(content[:1000])
    assert half in kafka_jars(Home(own_repository / "home"))
    assert half.read_bytes() == content


@pytest.mark.servers
def test_jars_that_cannot_be_had_are_said_with_the_way_around(
    own_repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(own_repository / "net")
    monkeypatch.setattr("jgo.constants.MAVEN_CENTRAL_URL", "http://127.0.0.1:1/maven")
    with pytest.raises(LocalError, match="check the network, or set KAFKA_BOOTSTRAP"):
        kafka_jars(Home(own_repository / "home"))
