"""How this library names itself to the server, and so in the list of one's sessions."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def name_of_client() -> str:
    """`capicua/0.1.0 (Linux)`"""
    try:
        installed = version("capicua")
    except PackageNotFoundError:  # run from its source
        installed = "source"
    return f"capicua/{installed} ({platform.system() or 'unknown'})"
