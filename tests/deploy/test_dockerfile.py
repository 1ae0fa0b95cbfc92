"""The image of each process."""

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import requires
from pathlib import Path

from deploy.compiled import COMPILING
from packaging.requirements import Requirement
from tests.deploy.rendered import ROOT, Rendered

from capicua.server.processes import PROCESSES

DOCKERFILE = ROOT / "deploy/Dockerfile"
HADOLINT = Path(sys.executable).with_name("hadolint")


@cache
def stages() -> dict[str, tuple[str, str]]:
    """Every stage by name: what it is made from, and its lines."""
    text = DOCKERFILE.read_text().replace("\\\n", " ")
    parts = re.split(r"^FROM (\S+) AS (\S+)$", text, flags=re.MULTILINE)[1:]
    return {name: (origin, body) for origin, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)}


@cache
def our_packages() -> dict[str, Path]:
    """The workspace's distributions and their folders."""
    projects = [*ROOT.glob("libs/*/pyproject.toml"), *ROOT.glob("services/*/pyproject.toml")]
    return {tomllib.loads(path.read_text())["project"]["name"]: path.parent for path in projects}


def dependencies(package: str) -> set[str]:
    """The distributions that a package asks for, without those of its extras."""
    asked = [Requirement(line) for line in requires(package) or ()]
    return {each.name.lower() for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})}


def closure(package: str) -> set[str]:
    found: set[str] = set()
    waiting = [package]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(dependencies(name))
    return found


def distribution_of(module: str) -> str:
    """The distribution of ours whose top-level package holds a process's module."""
    top = module.split(".")[0]
    return next(name for name, folder in our_packages().items() if (folder / "src" / top).is_dir())


def wheels(process: str) -> set[str]:
    """The wheels of ours in a process's image, named as distributions."""
    origin, body = stages()[process]
    if origin in {each.name for each in PROCESSES}:
        return wheels(origin)
    (environment,) = re.findall(r"--from=(\S+-environment)", body)
    return {name.replace("_", "-") for name in re.findall(r"/wheels/([a-z_]+)-\*\.whl", stages()[environment][1])}


def test_hadolint_finds_nothing() -> None:
    result = subprocess.run([HADOLINT, "--failure-threshold", "style", DOCKERFILE], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_every_process_has_a_target_that_starts_its_module() -> None:
    for process in PROCESSES:
        _, body = stages()[process.name]
        assert f'ENTRYPOINT ["python", "-m", "{process.module}"]' in body, process.name


def test_an_image_holds_the_packages_of_ours_that_its_process_needs_and_no_others() -> None:
    for process in PROCESSES:
        needed = closure(distribution_of(process.module)) & our_packages().keys()
        assert wheels(process.name) == needed, process.name


def test_all_that_an_image_gets_from_elsewhere_has_its_hash_in_the_lock() -> None:
    locked = set(re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    for process in PROCESSES:
        foreign = closure(distribution_of(process.module)) - our_packages().keys()
        assert {name.replace("_", "-") for name in foreign} <= locked, process.name


def test_environments_are_made_from_wheels_at_the_locks_versions() -> None:
    _, build = stages()["build"]
    for setting in ("UV_CONSTRAINT=/src/requirements.lock", "UV_ONLY_BINARY=:all:", "UV_NO_SOURCES=1"):
        assert setting in build
    assert "--require-hashes" in build


def test_processes_run_as_nobody_in_the_base_image_that_was_asked_for() -> None:
    origin, runtime = stages()["runtime"]
    assert origin == stages()["build"][0] == "${PYTHON_IMAGE}"
    assert "USER 10001:10001" in runtime


def test_manifests_use_the_images_of_these_targets(production: Rendered) -> None:
    for workload in production.processes:
        image = workload.container["image"].split("@")[0]
        assert image.split("/")[-1] == workload.name
        assert workload.pod["securityContext"]["runAsUser"] == 10001


def test_the_build_is_sent_nothing_but_what_it_copies() -> None:
    lines = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    assert lines[0] == "*"
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = {
        name
        for _, body in stages().values()
        for names in re.findall(r"^COPY (?!--from)(.+) \S+$", body, re.MULTILINE)
        for name in names.split()
    }
    assert sent == {name for name in copied if Path(name).parent.as_posix() not in copied}


def test_the_gateways_image_has_the_browser_client_where_it_looks_for_it() -> None:
    _, body = stages()["gateway"]
    (place,) = re.findall(r"^COPY --from=web-client /src/web/dist (\S+)$", body, re.MULTILINE)
    assert f"ENV CAPICUA_WEB_CLIENT={place}" in body
    assert "npm ci" in stages()["web-client"][1]


def test_the_rules_are_compiled_as_the_tests_compile_them() -> None:
    _, lines = stages()["build"]
    for name, value in COMPILING.items():
        assert re.search(rf'\b{name}="?{re.escape(value)}"?\s', lines)
