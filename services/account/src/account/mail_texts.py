"""What our mails say, in every language: plain text, short, and nothing that somebody else could have written into it.

A name that a stranger has chosen is in no mail: it would be a way to write to people in our name.
"""

from dataclasses import dataclass
from typing import Literal

from contracts.account import Language

Purpose = Literal["keep", "recover", "changed"]
"""`keep`: the address is new, and an account wants to be kept by it. `recover`: an account has this address. `changed`:
an account had this address and has another now."""


@dataclass(frozen=True, slots=True)
class Text:
    """`body` with `{link}`, `{code}` and `{minutes}` to be filled in, except for `changed`."""

    subject: str
    body: str


_LINK_EN = """\
{link}

In a terminal: capicua recover {code}

The link works once, and for {minutes} minutes. If it was not you who asked for it, do nothing: without the link
nothing happens.
"""
_LINK_DE = """\
{link}

Im Terminal: capicua recover {code}

Der Link gilt einmal und {minutes} Minuten lang. Falls du ihn nicht angefordert hast, tu nichts: Ohne den Link
geschieht nichts.
"""
_LINK_PL = """\
{link}

W terminalu: capicua recover {code}

Link działa raz, przez {minutes} minut. Jeśli to nie Ty o niego prosisz, nie rób nic: bez linku nic się nie stanie.
"""

BY_CODE: dict[Language, str] = {
    "en": "Give this code where you play: {code}",
    "de": "Gib diesen Code dort ein, wo du spielst: {code}",
    "pl": "Podaj ten kod tam, gdzie grasz: {code}",
}
"""In the place of a link, where nobody knows for certain where it should lead."""

TEXTS: dict[Language, dict[Purpose, Text]] = {
    "en": {
        "keep": Text(
            "Keep your Capicua account",
            "Hello!\n\nWith this link your account is kept by this address, and you can come back to it from "
            "anywhere:\n\n" + _LINK_EN,
        ),
        "recover": Text(
            "Your way back to Capicua",
            "Hello!\n\nWith this link you come back to your account. If you have played as a guest where you asked for "
            "it,\nthe guest's matches become your account's:\n\n" + _LINK_EN,
        ),
        "changed": Text(
            "Your Capicua account has another address now",
            "Hello!\n\nYour account is kept by another mail address from now on, as somebody who is signed in has "
            "asked.\nIf that was not you, sign out everywhere and report it, from a device that is still signed in.\n",
        ),
    },
    "de": {
        "keep": Text(
            "Dein Capicua-Konto behalten",
            "Hallo!\n\nMit diesem Link bleibt dein Konto mit dieser Adresse erhalten, und du kommst von überall "
            "dorthin zurück:\n\n" + _LINK_DE,
        ),
        "recover": Text(
            "Dein Weg zurück zu Capicua",
            "Hallo!\n\nMit diesem Link kommst du in dein Konto zurück. Hast du dort, wo du ihn angefordert hast, als "
            "Gast gespielt,\ndann gehören die Partien des Gastes danach zu deinem Konto:\n\n" + _LINK_DE,
        ),
        "changed": Text(
            "Dein Capicua-Konto hat jetzt eine andere Adresse",
            "Hallo!\n\nDein Konto gehört ab jetzt zu einer anderen Mailadresse; jemand, der angemeldet ist, wollte es "
            "so.\nWarst du das nicht, dann melde dich überall ab und melde uns das Problem, auf einem Gerät, das noch "
            "angemeldet ist.\n",
        ),
    },
    "pl": {
        "keep": Text(
            "Zachowaj swoje konto Capicua",
            "Cześć!\n\nDzięki temu linkowi Twoje konto zostanie zachowane pod tym adresem i wrócisz do niego "
            "z każdego miejsca:\n\n" + _LINK_PL,
        ),
        "recover": Text(
            "Powrót do Capicua",
            "Cześć!\n\nTen link prowadzi z powrotem do Twojego konta. Jeśli tam, gdzie o niego prosisz, grasz jako "
            "gość,\npartie gościa przejdą na Twoje konto:\n\n" + _LINK_PL,
        ),
        "changed": Text(
            "Twoje konto Capicua ma teraz inny adres",
            "Cześć!\n\nTwoje konto należy od teraz do innego adresu e-mail, bo tak chciał ktoś zalogowany.\nJeśli to "
            "nie Ty, wyloguj się wszędzie i zgłoś nam to z urządzenia, które jest jeszcze zalogowane.\n",
        ),
    },
}
