"""How a client names itself, as the list of one's sessions shows it."""

from starlette.requests import HTTPConnection

LABEL_CHARACTERS_MAX = 60


def label_of(connection: HTTPConnection) -> str:
    """What stands in User-Agent, as far as it can be printed; empty where nothing does."""
    told = connection.headers.get("user-agent", "")
    return "".join(character for character in told if character.isprintable())[:LABEL_CHARACTERS_MAX].strip()
