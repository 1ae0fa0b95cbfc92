"""What a person types at a table and in a private room alike: the own name, whom not to hear, what to say."""

from collections.abc import Awaitable, Callable, Mapping

from capicua.client import Client
from capicua.terminal.choice import NotUnderstood
from capicua.terminal.names import printable, shortened
from contracts.room_api import Phrase, Talk

PHRASES: dict[Phrase, str] = {
    "hello": "Hello!",
    "good-luck": "Good luck!",
    "well-played": "Well played!",
    "thank-you": "Thank you!",
    "one-moment": "One moment, please.",
    "hurry-up": "Hurry up!",
    "oops": "Oops!",
    "capicua": "Capicua!",
    "again": "Again?",
    "goodbye": "Goodbye!",
}
OWN_AFFAIRS = ("name", "mute", "unmute")
SAY = "say"
HELP_TEXT = "  say TEXT               say something to all"
HELP = f"""\
  {", ".join(list(PHRASES)[:5])},
  {", ".join(list(PHRASES)[5:])}: say so to all
  name NEW               what others call you
  mute NAME              do not hear somebody; unmute NAME: hear them again"""


class Words:
    """`say_phrase` and `say_text` pass on what is said; where `say_text` is none there are phrases alone."""

    def __init__(
        self,
        client: Client,
        say_phrase: Callable[[Phrase], Awaitable[None]],
        say_text: Callable[[str], Awaitable[None]] | None,
    ) -> None:
        self._client = client
        self._say_phrase = say_phrase
        self._say_text = say_text

    def takes(self, line: str) -> bool:
        """Whether the line is one of these words."""
        verb, rest = _parts(line)
        return verb in OWN_AFFAIRS or (verb == SAY and bool(rest)) or (verb in PHRASES and not rest)

    async def obey(self, line: str, people: Mapping[str, str]) -> str:
        """Does what it says, and returns what to say to it. `people` are the names of those here by their accounts.
        Raises `Refused` and `NotUnderstood`."""
        verb, rest = _parts(line)
        match verb:
            case "name":
                return await name(self._client, rest)
            case "mute":
                others = {account: called for account, called in people.items() if account != self._client.account}
                return await mute(self._client, rest, others)
            case "unmute":
                return await unmute(self._client, rest)
            case "say" if self._say_text is not None:
                await self._say_text(rest)
            case "say":
                raise NotUnderstood(f"at a public table there are phrases alone: {', '.join(PHRASES)}")
            case phrase if phrase in PHRASES:
                await self._say_phrase(phrase)
        return ""


async def name(client: Client, new: str | None) -> str:
    """Without a new one the name is told as it is."""
    called = await client.set_name(new) if new else await client.name()
    return f"You are called: {printable(called)}"


async def mute(client: Client, who: str, people: Mapping[str, str]) -> str:
    account = whose(who, people)
    await client.mute(account)
    return f"You do not hear {printable(people[account])} any more."


async def unmute(client: Client, who: str) -> str:
    muted = await client.mutes()
    account = whose(who, muted)
    await client.mute(account, False)
    return f"You hear {printable(muted[account])} again."


def whose(called: str, people: Mapping[str, str]) -> str:
    """The account of whom a name means: by the whole name, or as much of its beginning as is nobody else's. `people`
    are names by account. Raises `NotUnderstood`."""
    wanted = called.casefold()
    exact = [account for account, known in people.items() if known.casefold() == wanted or account == called]
    found = exact or [account for account, known in people.items() if wanted and known.casefold().startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotUnderstood(f"{len(found)} people here are called {called!r}: type more of the name")
    known = ", ".join(map(printable, people.values()))
    raise NotUnderstood(f"expected one of {known}, got {called!r}" if known else f"nobody here is called {called!r}")


def heard_words(talk: Talk) -> str:
    """`Ada: Well played!`"""
    return f"{shortened(talk.name)}: {talk_words(talk)}"


def talk_words(talk: Talk) -> str:
    return PHRASES.get(talk.phrase, talk.phrase) if talk.phrase is not None else printable(talk.text or "")


def _parts(line: str) -> tuple[str, str]:
    verb, _, rest = line.strip().partition(" ")
    return verb.lower(), rest.strip()
