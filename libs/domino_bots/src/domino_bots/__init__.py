"""Three strengths of domino play that see only what a seat may see."""

from domino_bots.seat_view import DrawnTiles, LaidTile, SeatView
from domino_bots.strength import Strength, choose

__all__ = ["DrawnTiles", "LaidTile", "SeatView", "Strength", "choose"]
