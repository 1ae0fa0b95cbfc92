"""How a person would type this program's commands here."""

import os
import shutil
import sys
from pathlib import Path

NAME = "capicua"


def typed() -> str:
    """`capicua` where the shell finds this very program, else its path, such as `.venv/bin/capicua`."""
    program = Path(sys.argv[0])
    if program.name != NAME:
        program = Path(sys.executable).with_name(NAME)
    found = shutil.which(NAME)
    if found is not None and Path(found).absolute() == program.absolute():
        return NAME
    return min(os.path.relpath(program), str(program), key=len)


def way_back() -> str:
    """What to do where a session has ended."""
    return f"'{typed()} recover MAIL' brings an account back that has a mail address."
