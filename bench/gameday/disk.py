"""A disk so small that it can be filled: a file system in memory, which only root may mount."""

import os
import subprocess
from pathlib import Path

MEBIBYTES = 1024
"""Of memory, once it is filled; before, as much as is written in an hour."""


class SmallDisk:
    """Mounted at `folder` until `unmount`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    @classmethod
    def mount(cls, folder: Path) -> "SmallDisk | str":
        """The disk, or why there is none."""
        folder.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={MEBIBYTES}m", "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            return f"no program mounts here: {type(error).__name__}"
        return cls(folder) if done.returncode == 0 else f"nothing may be mounted here: {done.stderr.strip()}"

    def fill(self) -> int:
        """Takes every free byte; how many MiB that were."""
        taken = 0
        with self._ballast.open("ab", buffering=0) as file:
            for size in (2**20, 4096):
                try:
                    while file.write(bytes(size)) == size:
                        taken += size
                except OSError:
                    continue
            os.fsync(file.fileno())
        return taken // 2**20

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def unmount(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True, capture_output=True)
