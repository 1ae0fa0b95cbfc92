"""Play dominoes on Capicua: the client SDK. `Client` is where to start."""

from capicua.client import Client
from capicua.countdown import Countdown
from capicua.errors import CapicuaError, Closed, Refused, SignedOut, Unreachable
from capicua.private_room import Room
from capicua.screen_client import ScreenClient
from capicua.table import Table
from capicua.thinker import Thinker
from capicua.view import TableView
from domino_bots import Strength

__all__ = [
    "CapicuaError",
    "Client",
    "Closed",
    "Countdown",
    "Refused",
    "Room",
    "ScreenClient",
    "SignedOut",
    "Strength",
    "Table",
    "TableView",
    "Thinker",
    "Unreachable",
]
