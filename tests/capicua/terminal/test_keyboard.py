import io

from capicua.terminal.keyboard import Keyboard


async def test_lines_come_in_order_and_the_end_again_and_again() -> None:
    keyboard = Keyboard(io.StringIO("3l\n?\n"))
    keyboard.start()
    assert [await keyboard.line() for _ in range(4)] == ["3l\n", "?\n", None, None]


async def test_bytes_that_are_no_text_end_nothing() -> None:
    keyboard = Keyboard(io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n3l\n"), encoding="utf-8"))
    keyboard.start()
    assert [await keyboard.line() for _ in range(3)] == ["\ufffd\ufffd\n", "3l\n", None]


async def test_the_end_is_never_forgotten() -> None:
    keyboard = Keyboard(io.StringIO(""))
    keyboard.start()
    assert await keyboard.line() is None
    keyboard.forget_typed()
    assert await keyboard.line() is None
