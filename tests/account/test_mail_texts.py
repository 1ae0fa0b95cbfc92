from string import Formatter
from typing import get_args

import pytest

from account.mail_texts import BY_CODE, TEXTS, Purpose
from contracts.account import Language

LANGUAGES = get_args(Language)
PURPOSES = get_args(Purpose)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_mail_is_there_in_every_language(language: Language, purpose: Purpose) -> None:
    text = TEXTS[language][purpose]
    assert text.subject
    assert text.body
    assert len(text.subject) <= 78
    assert max(map(len, text.body.splitlines())) <= 120


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_has_its_code_and_says_how_long_it_works(language: Language) -> None:
    for purpose in ("keep", "recover"):
        assert fields(TEXTS[language][purpose].body) == {"link", "code", "minutes"}
    assert fields(TEXTS[language]["changed"].body) == set()
    assert fields(BY_CODE[language]) == {"code"}


def test_no_text_is_another_languages() -> None:
    for purpose in PURPOSES:
        assert len({TEXTS[language][purpose] for language in LANGUAGES}) == len(LANGUAGES)
