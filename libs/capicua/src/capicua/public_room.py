"""The public room of a preset, as a client follows it: the whole list of its tables, kept up to date."""

from capicua.errors import CapicuaError
from capicua.messages import FollowMessage, OfRooms
from capicua.newest import Newest
from contracts.queue_api import FollowRoom, RoomChanges, RoomList, TableEntry, UnfollowRoom


class PublicRoom:
    """`lists` has the newest whole list: open tables first, then the newest."""

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.lists: Newest[RoomList] = Newest()
        self._tables: dict[str, TableEntry] = {}

    @property
    def wish(self) -> FollowMessage:
        return FollowRoom(preset=self.preset)

    @property
    def unwish(self) -> FollowMessage:
        return UnfollowRoom(preset=self.preset)

    def take(self, message: OfRooms) -> bool:
        match message:
            case RoomList(preset=self.preset):
                self._tables = {entry.table_id: entry for entry in message.tables}
            case RoomChanges(preset=self.preset) if self.lists.value is not None:
                self._tables |= {entry.table_id: entry for entry in message.changed}
                for table_id in message.gone:
                    self._tables.pop(table_id, None)
            case _:
                return False
        tables = tuple(sorted(self._tables.values(), key=in_list_order))
        self.lists.put(RoomList(preset=self.preset, people=message.people, tables=tables))
        return True

    def fail(self, error: CapicuaError) -> None:
        self.lists.fail(error)


def in_list_order(entry: TableEntry) -> tuple[bool, int, str]:
    return entry.state != "open", -entry.since, entry.table_id
