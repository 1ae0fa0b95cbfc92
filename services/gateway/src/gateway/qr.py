"""The link into a room as a picture that a phone reads."""

from functools import lru_cache
from io import BytesIO

import segno

MODULE_PIXELS = 8
QUIET_MODULES = 4
"""The white border that ISO/IEC 18004 asks for."""


@lru_cache(maxsize=256)
def svg(link: str) -> bytes:
    return _picture(link, "svg")


@lru_cache(maxsize=256)
def png(link: str) -> bytes:
    return _picture(link, "png")


def _picture(link: str, kind: str) -> bytes:
    picture = BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(picture, kind=kind, scale=MODULE_PIXELS, border=QUIET_MODULES, light="white")
    return picture.getvalue()
