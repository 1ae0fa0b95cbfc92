"""Which names may be chosen.

Two people may have the same name. Nobody may look like one of ours: the staff, the house, its bots. What looks alike is
said by Unicode's own table (UTS 39, `confusables.txt`), and by the digits that people write for letters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from confusable_homoglyphs.confusables import confusables_data

from account.refusals import Code, Refused
from account.reserved import ABUSIVE, BOTS, KINDS, Line, Where
from contracts.names import NAME_CHARACTERS_MAX, clean

_LETTERS_FOR = str.maketrans("01345789@$!|", "oleastbgasll")
_ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("i", "l"), ("j", "l"))
_WORD = re.compile(r"[^\W_]+")
_NUMBER_AT_THE_END = re.compile(r"[\W\d_]+$")
_DRAWN = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|(?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|INDICATOR SYMBOL LETTER) ([A-Z])"
)
"""How Unicode names letters in frames, of flags, and small capitals, which its table of what looks alike leaves out."""


class NameRule:
    """Judges names by the words of a list."""

    def __init__(self, reserved: Iterable[Line]) -> None:
        lines = list(reserved)
        self._by_kind = {kind: [line for line in lines if line.kind == kind] for kind in KINDS}
        self._plain = {kind: _Words(found, plain) for kind, found in self._by_kind.items()}
        self._seen = {kind: _Words(found, seen) for kind, found in self._by_kind.items()}

    def check(self, text: str, *, program: bool = False) -> str:
        """The name as it is kept: one line, composed, of 24 characters at most. A declared program may call itself a
        bot. Raises `Refused`."""
        name = clean(text)[:NAME_CHARACTERS_MAX].strip()
        if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
            raise Refused(Code.BAD_NAME, "name", "something that can be seen", "nothing of that kind")
        kinds, read = [kind for kind in KINDS if not (program and kind == BOTS)], lettered(name)
        if any(self._plain[kind].found_in(read) for kind in kinds) or self._seen[ABUSIVE].found_in(read):
            raise Refused(Code.RESERVED_NAME, "name", "a name that is neither ours nor an insult", "one that is")
        if any(self._seen[kind].found_in(read) for kind in kinds):
            raise Refused(Code.TOO_LIKE_ANOTHER, "name", "a name that does not look like one of ours", "one that does")
        return name


class _Words:
    """Words in one form of reading."""

    def __init__(self, lines: Iterable[Line], form: Callable[[str], str]) -> None:
        self._form = form
        forms: dict[Where, set[str]] = {where: set() for where in Where}
        for line in lines:
            forms[line.where].update({form(line.word)} - {""})
        self._words = forms[Where.WORD]
        self._wholes = forms[Where.WHOLE] | forms[Where.WORD]
        self._insides = sorted(forms[Where.INSIDE])

    def found_in(self, name: str) -> bool:
        texts = (name, _NUMBER_AT_THE_END.sub("", name))
        wholes = {self._form(text) for text in texts}
        words = {self._form(word) for text in texts for word in _WORD.findall(text)}
        return (
            not self._wholes.isdisjoint(wholes)
            or not self._words.isdisjoint(words)
            or any(inside in whole for inside in self._insides for whole in wholes)
        )


def lettered(text: str) -> str:
    """With plain letters for those that are drawn as signs: A for 🅰, and for ᴀ."""
    return "".join(map(_letter, text))


def plain(text: str) -> str:
    """As it is written: without case, accents, spaces and signs, and without doubled letters."""
    return _joined(unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()))


def seen(text: str) -> str:
    """As it looks at a glance: each character is the plain letter that it is most like."""
    looked = "".join(map(_prototype, unicodedata.normalize("NFKC", text)))
    looked = unicodedata.normalize("NFKD", looked).casefold().translate(_LETTERS_FOR)
    looked = _joined(looked)
    for what, like in _ALIKE:
        looked = looked.replace(what, like)
    return _joined(looked)


def _joined(text: str) -> str:
    letters = [character for character in text if character.isalnum()]
    return "".join(one for one, before in zip(letters, ["", *letters], strict=False) if one != before)


@lru_cache(maxsize=4096)
def _prototype(character: str) -> str:
    """The ASCII text that Unicode says it can be taken for, without strokes and accents; itself when there is none."""
    if character.isascii():
        return character
    for like in confusables_data.get(character, ()):
        letters = lettered("".join(part for part in like["c"] if not unicodedata.combining(part)))
        if letters.isascii() and letters.isalnum():
            return letters
    return character


@lru_cache(maxsize=4096)
def _letter(character: str) -> str:
    drawn = None if character.isascii() else _DRAWN.search(unicodedata.name(character, ""))
    return drawn[1] if drawn and drawn.end() == len(drawn.string) else character
