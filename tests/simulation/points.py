"""All places at which the product's processes wait, found in their source, and where a task waits now."""

import ast
import asyncio
import gc
import importlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType
from typing import Any, NamedTuple

from tests.simulation.unreached import PLACES

MODULES = (
    "bus.backoff",
    "bus.delivery",
    "bus.follower",
    "bus.group_tail",
    "bus.owner",
    "bus.pipeline",
    "bus.policies",
    "bus.restoring",
    "bus.runtime",
    "bus.sender",
    "bus.snapshots.loading",
    "bus.snapshots.writing",
    "bus.suspicion",
    "bus.tail",
    "bus.tasks",
    "gateway.absences",
    "gateway.admission",
    "gateway.commands",
    "gateway.feed",
    "gateway.history",
    "gateway.hub",
    "gateway.live_cache",
    "gateway.outbox",
    "gateway.past",
    "gateway.public_routes",
    "gateway.queue",
    "gateway.queue_news",
    "gateway.reading",
    "gateway.room_commands",
    "gateway.room_followers",
    "gateway.room_routes",
    "gateway.session",
    "gateway.tables",
    "table.projector.projection",
    "timer.app",
    "timer.clockwork",
    "timer.snapshots.loading",
    "timer.snapshots.writing",
)


class Point(NamedTuple):
    """A place that waits: `what` is its code, so that it has a name that survives other lines."""

    module: str
    function: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.what}"


def _of_module(name: str) -> Iterator[tuple[str, Point, range]]:
    path = importlib.import_module(name).__file__
    assert path is not None
    source = Path(path).read_text()
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            shown: ast.expr
            if isinstance(node, ast.Await):
                span, shown = range(node.lineno, (node.end_lineno or node.lineno) + 1), node
            elif isinstance(node, ast.AsyncFor):
                span, shown = range(node.lineno, node.lineno + 1), node.iter
            elif isinstance(node, ast.comprehension) and node.is_async:
                span, shown = range(node.iter.lineno, node.iter.lineno + 1), node.iter
            elif isinstance(node, ast.AsyncWith) and not _enters_at_once(node):
                span, shown = range(node.lineno, node.lineno + 1), node.items[0].context_expr
            else:
                continue
            what = (ast.get_source_segment(source, shown) or "").split("\n")[0]
            yield path, Point(name, function.name, span.start, what), span


def _enters_at_once(node: ast.AsyncWith) -> bool:
    """Entering them does not wait, and leaving them only for what they hold."""
    shown = ast.unparse(node.items[0].context_expr)
    return shown.startswith(("asyncio.timeout(", "aclosing(", "answering("))


def _found() -> tuple[tuple[Point, ...], dict[tuple[str, int], Point]]:
    points: dict[tuple[str, int], Point] = {}
    at: dict[tuple[str, int], Point] = {}
    for name in MODULES:
        for path, point, span in _of_module(name):
            known = points.setdefault((name, point.line), point)
            for line in span:
                at.setdefault((path, line), known)
    return tuple(sorted(points.values())), at


def _why_unreached(point: Point) -> str | None:
    for (module, function, what), why in PLACES.items():
        if point[:2] == (module, function) and what in point.what:
            return why
    return None


async def _nothing() -> AsyncIterator[None]:
    yield


_ALL, _AT = _found()
UNREACHED = {point: why for point in _ALL if (why := _why_unreached(point)) is not None}
POINTS = tuple(point for point in _ALL if point not in UNREACHED)
_STEP_OF_GENERATOR = type(anext(_nothing()))
_seen: dict[int, tuple[CodeType, dict[int, Point | None]]] = {}
"""By code (its identity: its hash takes long), then by instruction."""


def where(task: "asyncio.Task[Any]") -> list[Point]:
    """The places in the product at which the task waits, the outermost first: each waits for the next."""
    found: list[Point] = []
    waiting: Any = task.get_coro()
    while (frame := _frame(waiting)) is not None:
        code, instruction = frame.f_code, frame.f_lasti
        seen = _seen.get(id(code))
        if seen is None:
            seen = _seen[id(code)] = code, {}
        points = seen[1]
        if instruction not in points:
            points[instruction] = _AT.get((code.co_filename, frame.f_lineno))
        point = points[instruction]
        if point is not None:
            found.append(point)
        waiting = _awaited_by(waiting)
    return found


def _frame(waiting: Any) -> FrameType | None:
    """Of a coroutine or of an asynchronous generator, if it has begun and not ended."""
    if type(waiting) is CoroutineType:
        return waiting.cr_frame
    return getattr(waiting, "ag_frame", None)


def _awaited_by(waiting: Any) -> Any:
    awaited = waiting.cr_await if type(waiting) is CoroutineType else waiting.ag_await
    if isinstance(awaited, _STEP_OF_GENERATOR):
        return next(found for found in gc.get_referents(awaited) if isinstance(found, AsyncGeneratorType))
    return awaited
