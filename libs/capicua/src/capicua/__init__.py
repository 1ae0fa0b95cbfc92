"""Play dominoes on Capicua: the client SDK. `Client` is where to start."""

from capicua.client import Client
from capicua.errors import CapicuaError, Closed, Refused, Unreachable
from capicua.strategy import heaviest
from capicua.table import Table
from capicua.view import TableView

__all__ = ["CapicuaError", "Client", "Closed", "Refused", "Table", "TableView", "Unreachable", "heaviest"]
