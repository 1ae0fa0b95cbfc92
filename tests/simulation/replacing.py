"""Something of a module or a class, replaced for a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def replaced(module: ModuleType | type, **instead: Any) -> Iterator[None]:
    before = {name: getattr(module, name) for name in instead}
    for name, value in instead.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def replacement(holder: Any, name: str, instead: Callable[[Any], Any]) -> Callable[[], Any]:
    """A context in which `holder`'s attribute is what `instead` makes of it."""

    @contextmanager
    def planted() -> Iterator[None]:
        before = getattr(holder, name)
        setattr(holder, name, instead(before))
        try:
            yield
        finally:
            setattr(holder, name, before)

    return planted
