"""A link as a picture that a phone's camera reads, two rows of it in a line."""

from rich.text import Text

BORDER = 2
DARK_ON_LIGHT = "black on white"
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_lines(link: str, color: bool) -> list[Text]:
    """Dark on light in `color`; without, what is dark is left out, for terminals are mostly dark themselves."""
    import segno  # 20 ms, which only those wait for who see a picture

    rows = [[int(bit) for bit in row] for row in segno.make(link, error="l", micro=False).matrix_iter(border=BORDER)]
    if not color:
        rows = [[1 - bit for bit in row] for row in rows]
    rows += [[0 if color else 1] * len(rows[0])] * (len(rows) % 2)
    style = DARK_ON_LIGHT if color else ""
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [Text("".join(HALVES[pair] for pair in zip(upper, lower, strict=True)), style) for upper, lower in pairs]
