"""Which names may be chosen. Nobody may look like one of ours; two people may look like each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from account.names import NameRule
from account.refusals import Code, Refused
from account.reserved import read_reserved, reserved_words
from contracts.names import NAME_CHARACTERS_MAX

RULE = NameRule(reserved_words(None))


def judged(name: str, *, program: bool = False) -> str:
    """The name as it is kept, or the code of its refusal."""
    try:
        return RULE.check(name, program=program)
    except Refused as refused:
        return refused.code


@pytest.mark.parametrize(
    "name", ["Ada", "Łukasz", "Zoë", "Żółć", "李小龍", "Иван", "😀", "José Ángel", "O'Hara", "Dr. Who", "7",
             "Guest AB2C", "Robert", "Robotnik", "Modest", "Adminka", "Steam", "Team Rocket", "House of Cards",
             "Scunthorpe", "Penistone", "Dickens", "Essex", "Shitake", "Mały Jaś", "Jürgen",
             "Staffan", "Helpful", "Rooter", "Ada 🇵🇱", "🅱🅸🅶 Ada", "Вера", "Тимофей", "管理"],
)  # fmt: skip
def test_people_may_be_called_what_people_are_called(name: str) -> None:
    assert judged(name) == name


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  Ada  \u200b L. ", "Ada L."), ("Zoe\u0308", "Zoë"), ("A\u202eda", "Ada"), ("a\nb", "a b"),
     ("x" * 40, "x" * NAME_CHARACTERS_MAX), ("Ada\u0301\u0301\u0301\u0301", "Adá\u0301\u0301"),
     ("Zoe\u200b\u0308", "Zoë")],
)  # fmt: skip
def test_a_name_is_one_line_that_is_what_it_looks_like(given: str, kept: str) -> None:
    assert judged(given) == kept


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u0301", "\u3164", "\u2800\u00ad", "\u0301\u0302", "\U0001d159"])
def test_a_name_has_something_to_be_seen(name: str) -> None:
    assert judged(name) == Code.BAD_NAME


@pytest.mark.parametrize(
    "name", ["Admin", "ADMIN", "admin 7", "A d m i n", "A.d.m.i.n", "ádmín", "ＡＤＭＩＮ", "𝐀𝐝𝐦𝐢𝐧", "The Moderator",
             "Capicua", "Capicúa Team", "xxcapicuaxx", "House", "House 7", "House #12", "the house", "Staff", "Obsługa",
             "bot", "Bot 3", "My Bot", "Administracja", "aadmin", "Official Ada", "🅰🅳🅼🅸🅽", "🅐🅓🅜🅘🅝 Ada", "🇦🇩🇲🇮🇳",
             "🅰dmin", "ᴀᴅᴍɪɴ", "Админ", "Главный модератор", "管理员", "Διαχειριστής"],
)  # fmt: skip
def test_nobody_is_called_as_one_of_ours(name: str) -> None:
    assert judged(name) == Code.RESERVED_NAME


@pytest.mark.parametrize(
    "name", ["4dmin", "Adm1n", "Аdmin", "Аԁmіn", "adrnin", "m0derator", "H0use 7", "Hоuse", "cap1cua", "Cарiсuа", "b0t",
             "вот", "St@ff", "аdmіnіѕtrаtоr"],
)  # fmt: skip
def test_nobody_looks_like_one_of_ours(name: str) -> None:
    assert judged(name) == Code.TOO_LIKE_ANOTHER


@pytest.mark.parametrize("name", ["Hitler", "h1tler", "F u c k", "fuuuck", "Kurwa", "xxfuckxx", "Hurensohn"])
def test_an_insult_is_no_name_however_it_is_written(name: str) -> None:
    assert judged(name) == Code.RESERVED_NAME


def test_a_declared_program_may_say_what_it_is_and_not_that_it_is_ours() -> None:
    assert judged("Ada's bot", program=True) == "Ada's bot"
    assert judged("Robot 3", program=True) == "Robot 3"
    assert judged("House 7", program=True) == Code.RESERVED_NAME
    assert judged("Adm1n", program=True) == Code.TOO_LIKE_ANOTHER


def test_operators_add_words_of_their_own() -> None:
    rule = NameRule(read_reserved("Acme\n=Grand Master\n[abusive]\n*blorp*\n"))
    for name in ("acme", "The Acme Club", "Grand Master", "grand master 3", "xblorpx"):
        with pytest.raises(Refused):
            rule.check(name)
    assert rule.check("Acmeist") == "Acmeist"
    assert rule.check("A Grand Master") == "A Grand Master"


@given(st.text(max_size=60))
def test_a_name_that_was_kept_is_kept_as_it_is(text: str) -> None:
    try:
        name = RULE.check(text)
    except Refused:
        return
    assert len(name) <= NAME_CHARACTERS_MAX
    assert len(name.splitlines()) == 1
    assert RULE.check(name) == name
