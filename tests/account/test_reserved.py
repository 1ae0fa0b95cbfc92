from pathlib import Path

import pytest

from account.reserved import BadNamesFile, Line, Where, read_reserved, reserved_words


def test_a_list_has_sections_and_three_kinds_of_lines() -> None:
    text = "# a list\nplain\n\n=whole of it\n*inside* # why\n[bots]\nrobot\n"
    assert read_reserved(text) == (
        Line("staff", "plain", Where.WORD),
        Line("staff", "whole of it", Where.WHOLE),
        Line("staff", "inside", Where.INSIDE),
        Line("bots", "robot", Where.WORD),
    )


@pytest.mark.parametrize(("text", "line"), [("[people]\n", 1), ("fine\n[staff\n*\n", 3), ("=\n", 1), ("a\n[]\n", 2)])
def test_a_line_that_says_nothing_is_found_by_its_number(text: str, line: int) -> None:
    with pytest.raises(BadNamesFile, match=f"line {line}:"):
        read_reserved(text)


def test_the_operators_list_is_added_to_the_one_that_comes_along(tmp_path: Path) -> None:
    more = tmp_path / "names.txt"
    more.write_text("blorp\n")
    assert reserved_words(more) == (*reserved_words(None), Line("staff", "blorp", Where.WORD))


def test_a_list_that_cannot_be_read_is_said_before_anybody_chooses(tmp_path: Path) -> None:
    binary = tmp_path / "names.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (binary, tmp_path / "missing.txt"):
        with pytest.raises(BadNamesFile):
            reserved_words(path)
