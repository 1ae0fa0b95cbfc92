"""Server programs that come inside wheels, which not every platform has."""

import importlib.util
import platform
from pathlib import Path

from bus.local.server import LocalError


def wheel_program(package: str, pattern: str, variable: str) -> Path:
    """The program that ``pattern`` finds in an installed package; raises LocalError when there is none.

    The packages are not imported: they bring launchers of their own, which know nothing of pid files.
    """
    spec = importlib.util.find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        for program in Path(folder).glob(pattern):
            return program
    raise LocalError(
        f"{package} has no program for {platform.system()} on {platform.machine()}: set {variable} to the address "
        "of a running server, or CAPICUA_DOCKER=1 where Docker runs."
    )
