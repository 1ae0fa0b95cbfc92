"""Something of a module replaced for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def replaced(module: ModuleType, **instead: Any) -> Iterator[None]:
    before = {name: getattr(module, name) for name in instead}
    for name, value in instead.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)
