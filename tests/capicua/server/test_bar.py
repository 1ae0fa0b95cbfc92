from io import StringIO

from rich.console import Console

from capicua.server.bar import reading_bar


def drawn(terminal: bool) -> str:
    console = Console(file=StringIO(), force_terminal=terminal, width=80)
    with reading_bar(console) as bar:
        bar.start(12_345)
        for _ in range(12_345):
            bar.advance(1)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


def test_a_terminal_is_told_how_far_it_has_come() -> None:
    assert "reading" in drawn(terminal=True)
    assert "12345/12345" in drawn(terminal=True)


def test_a_file_is_told_nothing() -> None:
    assert drawn(terminal=False).strip() == ""
