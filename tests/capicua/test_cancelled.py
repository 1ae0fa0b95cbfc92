import asyncio

from tests.memory_log import let_everybody_run

from capicua.cancelled import cancelled


async def test_all_have_ended_however_they_did_when_it_returns() -> None:
    ended: list[str] = []

    async def work(name: str, error: Exception | None = None) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await let_everybody_run()
            ended.append(name)
            if error is not None:
                raise error

    waiting = [asyncio.ensure_future(work("quiet")), asyncio.ensure_future(work("loud", ValueError("no")))]
    await let_everybody_run()  # they have begun
    await cancelled([None, *waiting])
    assert sorted(ended) == ["loud", "quiet"]


async def test_where_there_is_none_nothing_is_waited_for() -> None:
    await cancelled((None, None))
