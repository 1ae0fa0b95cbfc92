"""Kafka's jars: the ones that ``jgo.lock.toml`` pins, fetched once by jgo and checked by their hashes."""

import contextlib
import fcntl
import hashlib
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bus.local.home import Home
from bus.local.server import LocalError

KAFKA = "org.apache.kafka:kafka_2.13:4.3.1"
LOGGING = "org.slf4j:slf4j-simple:2.0.17"
LOCK_FILE = Path(__file__).with_name("jgo.lock.toml")
PARALLEL_DOWNLOADS = 8

log = logging.getLogger(__name__)


def kafka_jars(home: Home) -> list[Path]:
    """Paths of all jars of Kafka, every one with the pinned hash; raises LocalError when they cannot be had.

    No Maven and no Java take part: jgo's own resolver fetches into the Maven repository folder that jgo uses.
    """
    from jgo.env import LockFile

    pinned = LockFile.load(LOCK_FILE).dependencies
    context = _context(home)
    with (context.repo_cache / ".capicua.lock").open("w") as guard, ThreadPoolExecutor(PARALLEL_DOWNLOADS) as pool:
        fcntl.flock(guard, fcntl.LOCK_EX)  # Two programs that fetch the same jar would spoil it for each other.
        missing = [jar for jar in pinned if not _cached(context, jar).exists()]
        if missing:
            log.info("fetching Kafka: %d jars, about 46 MB, only this once", len(missing))
        try:
            return list(pool.map(lambda jar: _fetch(context, jar), pinned))
        except (OSError, RuntimeError) as error:
            raise LocalError(
                f"Kafka's jars could not be fetched ({_first_line(error)}): check the network, "
                "or set KAFKA_BOOTSTRAP to the address of a running Kafka."
            ) from error


def write_lock() -> None:
    """Resolve Kafka anew and write the pins; for ``make lock``."""
    from jgo.env import EnvironmentBuilder
    from jgo.maven import MavenContext

    environment = EnvironmentBuilder(context=MavenContext()).from_endpoint(f"{KAFKA}+{LOGGING}", update=True)
    LOCK_FILE.write_bytes(environment.lock_path.read_bytes())


def _context(home: Home) -> Any:
    """jgo's settings, but for a home folder that is missing or not writable: then a folder of our own."""
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext, PythonResolver

    settings = GlobalSettings.load()
    cache = Path(settings.repo_cache).absolute()
    with contextlib.suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
    if not os.access(cache, os.W_OK):
        cache = home.data("maven")
        cache.mkdir(exist_ok=True)
    remotes = {"central": MAVEN_CENTRAL_URL, **settings.repositories}
    return MavenContext(resolver=PythonResolver(), repo_cache=cache, remote_repos=remotes, timeout=60)


def _artifact(context: Any, jar: Any) -> Any:
    component = context.project(jar.groupId, jar.artifactId).at_version(jar.version)
    return component.artifact(classifier=jar.classifier or "", packaging=jar.packaging)


def _cached(context: Any, jar: Any) -> Path:
    return Path(_artifact(context, jar).cached_path)


def _fetch(context: Any, jar: Any) -> Path:
    """The jar's path; a file with another hash (an interrupted download leaves half) is fetched once more."""
    for _ in range(2):
        path = Path(_artifact(context, jar).resolve())
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256:
                return path
        path.unlink()
    raise RuntimeError(f"{path.name} does not have the pinned hash")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:160] if str(error) else type(error).__name__
