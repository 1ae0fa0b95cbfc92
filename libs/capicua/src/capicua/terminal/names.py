"""People's own words on a terminal: nothing in them is a command to it, and they keep to their columns."""

from rich.cells import cell_len, set_cell_size

CELLS_MAX = 12


def printable(text: str) -> str:
    """Without what could move the cursor or hide other text."""
    return "".join(character if character.isprintable() else " " for character in text)


def shortened(called: str, cells: int = CELLS_MAX) -> str:
    """A name of at most that many columns; two of 12 leave room for a sentence."""
    clean = printable(called)
    return clean if cell_len(clean) <= cells else f"{set_cell_size(clean, cells - 1).rstrip()}…"


def padded(called: str, cells: int) -> str:
    """As wide as that on the terminal, whatever it is written in."""
    return called + " " * (cells - cell_len(called))
