"""Whatever somebody meets who writes a program with this library says what it is."""

import inspect
import re
from collections.abc import Iterator
from types import FunctionType, ModuleType

import pytest
from tests.capicua.installed import ROOT

import capicua
from capicua import Client, Room, ScreenClient, countdown, player, replay, server_clock, view

OWN = ("capicua", "domino_bots")


def of_class(kind: type) -> Iterator[tuple[str, object]]:
    """It and what it has and inherits from ours, without what is told of each kind of error or message alike."""
    yield kind.__qualname__, kind
    for parent in kind.__mro__:
        if parent.__module__.startswith(OWN):
            for name, member in vars(parent).items():
                inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if not name.startswith("_") and isinstance(inner, FunctionType):
                    yield f"{kind.__qualname__}.{name}", inner


def of_module(module: ModuleType) -> Iterator[tuple[str, object]]:
    yield module.__name__, module
    for name, member in vars(module).items():
        if name.startswith("_") or getattr(member, "__module__", None) != module.__name__:
            continue
        if isinstance(member, type):
            yield from of_class(member)
        elif isinstance(member, FunctionType):
            yield f"{module.__name__}.{name}", member


def public() -> dict[str, object]:
    found = dict(of_module(capicua))
    for name in capicua.__all__:
        found |= of_class(getattr(capicua, name))
    for module in (countdown, player, replay, server_clock, view):
        found |= of_module(module)
    return found


PUBLIC = public()


def test_the_public_names_are_many_and_calls_of_every_part_are_among_them() -> None:
    assert len(PUBLIC) > 120
    some = {"Client.queue", "Client.open_room", "Client.profile", "Client.make_token", "Client.reports", "Room.start"}
    assert some <= set(PUBLIC)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_it_says_what_it_is(name: str) -> None:
    said = vars(PUBLIC[name])["__doc__"] if isinstance(PUBLIC[name], type) else inspect.getdoc(PUBLIC[name])
    assert said, f"{name} has no docstring"
    assert not said.startswith(f"{name}("), f"{name} has only what dataclass writes"


async def test_the_page_calls_nothing_that_there_is_not() -> None:
    page = (ROOT / "libs" / "capicua" / "README.md").read_text()
    code = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    async with Client("http://127.0.0.1:9") as client:
        has = {"client": dir(client), "room": [*dir(Room), "code", "link"], "screen": dir(ScreenClient)}
        called = {who: set(re.findall(rf"\b{who}\.(\w+)", code)) for who in has}
        assert [f"{who}.{name}" for who, names in called.items() for name in names - set(has[who])] == []
        assert len(called["client"]) > 10
