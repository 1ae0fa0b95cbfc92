"""`capicua rooms`: the public room of each preset."""

import typer
from rich.text import Text

from capicua.commands.guest import known_client
from capicua.commands.options import Json, Url, console, run
from capicua.commands.typed import typed
from contracts.queue_api import PublicRooms


def rooms(url: Url, as_json: Json = False) -> None:
    """List the public rooms: how many people are there, how many tables have free seats, how many run."""
    run(_rooms(url, as_json))


async def _rooms(url: str, as_json: bool) -> int:
    async with known_client(url) as client:
        found = await client.rooms()
    if as_json:
        for room in found.rooms:
            typer.echo(room.model_dump_json())
        return 0
    out = console()
    for line in _lines(found):
        out.print(line)
    return 0


def _lines(found: PublicRooms) -> list[Text]:
    rows = [Text(f"{'room':<12}{'people':>8}{'free seats':>13}{'running':>10}", "bold")]
    for room in found.rooms:
        row = f"{room.preset:<12}{room.people:>8}{_tables(room.open):>13}{_tables(room.running):>10}"
        rows.append(Text(row, "" if room.people or room.open or room.running else "dim"))
    hints = {"its tables": "tables ROOM", "a table of your own": "play --preset ROOM --new-table"}
    return [*rows, Text(), *(Text(f"{what + ':':<21}{typed()} {how}") for what, how in hints.items())]


def _tables(count: int) -> str:
    return "–" if not count else "1 table" if count == 1 else f"{count} tables"
