import io
import struct
import xml.etree.ElementTree as Tree
import zlib

import segno

from gateway import qr

LINK = "https://dominoes.example/join/ABC234"


def rows_of_png(picture: bytes) -> list[bytes]:
    """Unfiltered lines of one bit a pixel."""
    place, data, width = 8, b"", 0
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        kind, body = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width = struct.unpack(">I", body[:4])[0]
        data += body if kind == b"IDAT" else b""
        place += 12 + length
    lines, size = zlib.decompress(data), (width + 7) // 8 + 1
    return [lines[start + 1 : start + size] for start in range(0, len(lines), size)]


def test_the_picture_of_pixels_is_the_code_of_the_link_with_a_border_that_readers_need() -> None:
    picture = qr.png(LINK)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    modules = [bytes(row) for row in segno.make(LINK, error="m", micro=False).matrix]
    rows = rows_of_png(picture)[:: qr.MODULE_PIXELS]
    bits = [[not byte >> shift & 1 for byte in row for shift in range(7, -1, -1)][:: qr.MODULE_PIXELS] for row in rows]
    border = qr.QUIET_MODULES
    inside = [row[border : border + len(modules)] for row in bits[border : border + len(modules)]]
    assert inside == [[bool(module) for module in row] for row in modules]
    assert not any(any(row) for row in bits[:border])


def test_the_drawn_picture_is_whole_and_has_nothing_from_elsewhere() -> None:
    picture = Tree.parse(io.BytesIO(qr.svg(LINK))).getroot()
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.attrib["width"] == picture.attrib["height"]
    assert b"href" not in qr.svg(LINK)
