"""Commands to private rooms, answered with the room's own outcome."""

import secrets

from contracts.api import Accepted
from contracts.envelope import OutcomeBody
from contracts.message import Message
from contracts.room import (
    ChooseRuleset,
    EnterRoom,
    NoteAwayFromRoom,
    NoteBackInRoom,
    OpenRoom,
    PersonInRoomCommand,
    room_of,
)
from contracts.table import RulesetOptions
from gateway.codes import Code
from gateway.commands import Command, Commands
from gateway.identity import Identity
from gateway.outcomes import accepted, answered, noted
from gateway.places import Place
from gateway.private_rooms import PrivateRooms
from gateway.problems import problem
from gateway.room_codes import RoomCodes

CODES_TRIED_MAX = 8
CODE_TAKEN = "code-taken"


class RoomCommands:
    """Asks the rooms' writer for somebody. `region` is where house bots of its rooms come from."""

    def __init__(self, commands: Commands, rooms: PrivateRooms, codes: RoomCodes, region: str) -> None:
        self._commands = commands
        self._rooms = rooms
        self._codes = codes
        self._region = region

    async def open(self, asker: Identity, command_id: str, ruleset: RulesetOptions) -> str:
        """The code of a new room, always the same for the same id. Raises the problems `unknown-result`, and the
        lobby's refusals."""
        opening = OpenRoom(region=self._region, ruleset=ruleset, bot=asker.bot)
        for attempt in range(CODES_TRIED_MAX):
            code = self._codes.of(asker.account, command_id, attempt)
            outcome = await self._ask(asker, command_id, code, opening)
            if outcome.refusal is None or outcome.refusal.code != CODE_TAKEN:
                accepted(outcome)
                return code
        raise problem(503, Code.CODES_UNAVAILABLE, "code", "a code that is free", f"{CODES_TRIED_MAX} that are taken")

    async def ask(self, asker: Identity, command_id: str, code: str, command: PersonInRoomCommand) -> Accepted:
        """Raises the problems `unknown-result`, and the room's refusals. Who comes in as a program is labelled so."""
        body = EnterRoom(bot=asker.bot) if isinstance(command, EnterRoom) else command
        outcome = accepted(await self._ask(asker, command_id, code, body))
        return Accepted(id=command_id, version=outcome.version)

    async def note(self, account: str, _: Place, away: bool) -> None:
        """Somebody is away from all their rooms, or back in them; no act of a person's, so it keeps no room open."""
        body = NoteAwayFromRoom() if away else NoteBackInRoom()
        for room in self._rooms.rooms_of(account):
            if room.people[account].away != away:
                sender = Identity(account, self._region, bot=True)
                command = Command("lobby", room_of(room.code), sender, secrets.token_hex(8), body)
                await noted(self._commands, command)

    async def _ask(self, asker: Identity, command_id: str, code: str, body: Message) -> OutcomeBody:
        command = Command("lobby", room_of(code), asker, command_id, body)
        if isinstance(body, OpenRoom | ChooseRuleset):
            _must_be_writable(command)
        return await answered(self._commands, command)


def _must_be_writable(command: Command) -> None:
    """A ruleset is whatever its sender made of it. Raises the problem `bad-request` for what no log can hold."""
    try:
        command.envelope().model_dump_json()
    except ValueError:
        expected, got = "text in UTF-8, without extreme nesting", "something else"
        raise problem(422, Code.BAD_REQUEST, "ruleset", expected, got) from None
