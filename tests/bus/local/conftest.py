"""A folder that the PostgreSQL of a root user can reach."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Not pytest's own: each run of pytest shuts that to others, and under root PostgreSQL runs as ``nobody``."""
    with tempfile.TemporaryDirectory(prefix="capicua-test-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
