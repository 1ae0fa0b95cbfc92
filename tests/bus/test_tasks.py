import asyncio

from bus.tasks import end


async def test_a_task_that_loses_one_cancellation_is_cancelled_again() -> None:
    lost = 0

    async def stubborn() -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost += 1
                if lost > 1:
                    raise

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end([task])
    assert task.cancelled()
    assert lost == 2


async def test_what_a_task_raised_is_its_own() -> None:
    async def failing() -> None:
        raise ValueError("mine")

    task = asyncio.create_task(failing())
    await asyncio.sleep(0)
    await end([task])
    assert isinstance(task.exception(), ValueError)
    await end([])
