"""What is said at a table, and in the private room to which it belongs, by its people and by one's own typed words."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from capicua.client import Client
from capicua.errors import Refused
from capicua.merged import merged
from capicua.private_room import Room
from capicua.table import Table
from capicua.terminal.words import Words
from contracts.room_api import Talk


class TableTalk:
    """With a `room` there is free text too."""

    def __init__(self, client: Client, table: Table, room: Room | None = None) -> None:
        self._table = table
        self._room = room
        say_text = None if room is None else lambda text: room.say(text=text)
        self._words = Words(client, table.say, say_text)

    async def heard(self) -> AsyncGenerator[Talk, None]:
        """As it comes; whoever is sent out of the room hears the table alone. Raises what ended the connection."""
        if self._room is not None:
            with suppress(Refused):
                async with aclosing(merged(self._table.talk(), self._room.talk())) as heard:
                    async for talk in heard:
                        yield self._named(talk)
        async with aclosing(self._table.talk()) as heard:
            async for talk in heard:
                yield self._named(talk)

    def takes(self, line: str) -> bool:
        """Whether the line is about talk, and none of the table's choices."""
        return self._words.takes(line)

    async def obey(self, line: str) -> str:
        """What to say to it, maybe nothing. Raises `Refused` and `NotUnderstood`."""
        return await self._words.obey(line, self._people())

    def _named(self, talk: Talk) -> Talk:
        """Its speaker may have another name by now."""
        self._table.names[talk.said_by] = talk.name
        return talk

    def _people(self) -> dict[str, str]:
        """Who sits here, by account."""
        seats = () if self._table.view is None else self._table.view.seats
        return {seat.account: self._table.names.get(seat.account, f"seat {seat.seat}") for seat in seats}
