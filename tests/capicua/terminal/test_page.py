"""Pages on a terminal."""

from rich.text import Text
from tests.capicua.terminal.shown import a_console, last_page

from capicua.terminal.page import RESTORE, SAVE, TO_TOP, Page


def test_a_page_keeps_to_its_lines_and_wraps_what_is_long() -> None:
    console, out = a_console(width=20, height=6)
    Page(console).draw(Text("first"), [Text("a word " * 5), *(Text(f"line {n}") for n in range(9))], "prompt > ")
    assert [line.rstrip() for line in last_page(out)] == [
        "first",
        "a word a word a word",
        "a word a word",
        "line 0",
        "line 1",
        "prompt >",
    ]


def test_the_first_line_is_renewed_without_the_rest_and_only_when_it_is_another() -> None:
    console, out = a_console()
    page = Page(console)
    page.renew(Text("nothing is drawn yet"))
    page.draw(Text("1 s"), [Text("below")])
    out.truncate(0)
    out.seek(0)
    page.renew(Text("1 s"))
    assert out.getvalue() == ""
    page.renew(Text("2 s"))
    assert out.getvalue() == f"{SAVE}{TO_TOP}2 s{RESTORE}"


def test_a_pipe_and_a_program_get_no_page() -> None:
    assert not Page(a_console(terminal=False)[0]).is_screen
    assert not Page(a_console()[0], as_json=True).is_screen
    assert Page(a_console()[0]).is_screen
