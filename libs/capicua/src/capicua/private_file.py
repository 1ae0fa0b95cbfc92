"""Files that only their user may read."""

import os
from pathlib import Path


def write_private(path: Path, content: bytes) -> None:
    """A new file. Raises `FileExistsError` where there is one already, and another `OSError` where none can be."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
