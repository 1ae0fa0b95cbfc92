"""A lobby that went through a snapshot is the lobby that it was; `test_properties` has it of every lobby."""

import json

import pytest
from tests.lobby.lobbies import DUEL, THREE, match, ticket

from contracts.region import BotStoodBy, TicketWithdrawn
from lobby.region import codec
from lobby.region.state import Lobby, evolve


def test_a_lobby_comes_back_with_everybody_in_it() -> None:
    lobby = Lobby()
    for event in (
        ticket("ann", DUEL, bots="fill"),
        ticket("bob", THREE),
        BotStoodBy(account="h1"),
        BotStoodBy(account="h2"),
        BotStoodBy(account="h3"),
        TicketWithdrawn(account="h2"),
        match("cid", "dan", table="t7"),
    ):
        lobby = evolve(lobby, event)
    body = codec.to_json(lobby)
    assert codec.from_json(json.loads(json.dumps(body))) == lobby
    assert body["tables"] == {"t7": ["cid", "dan"]}


@pytest.mark.parametrize("body", [{}, {"queue": 1}])
def test_anything_else_is_refused(body: dict[str, object]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        codec.from_json(body)


def test_equal_lobbies_are_written_alike_in_every_process() -> None:
    """A hash map's own order differs from one process to the next."""
    lobby = Lobby()
    for number in range(20):
        lobby = evolve(lobby, ticket(f"person{number:02}", DUEL if number % 2 else THREE))
    units = codec.to_json(lobby)["queue"]["units"]
    numbers = [ticket[0] for unit in units for ticket in unit[-1]]
    assert numbers == list(range(1, 21))
