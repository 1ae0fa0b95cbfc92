"""Takes the pictures of this folder, of every page at three widths, light and dark, in a real browser on a whole stack.

`python -m docs.screens.generate` takes all of them, `python -m docs.screens.generate table-draw` those of one; with
CAPICUA_URL they are taken of the stack that runs there.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from web.build import built
from web.node import node

from bus.local import Home
from capicua.server.stack import Stack

FOLDER = Path(__file__).parent
ALL_BYTES_MAX = 15 * 2**20
SECONDS_MAX = 1_200
WIDTHS, THEMES = (360, 768, 1280), ("light", "dark")
INTRODUCTION = """# How it looks

Every page at 360, 768 and 1280 pixels, light and dark; `make screens` takes the pictures anew.
"""


async def _taken(wanted: list[str]) -> None:
    if (url := os.environ.get("CAPICUA_URL")) is not None:
        await asyncio.to_thread(_take, url, wanted)
        return
    built()
    with tempfile.TemporaryDirectory() as folder:
        async with Stack(Home(Path(folder))) as stack:
            await asyncio.to_thread(_take, stack.gateway_url, wanted)


def _take(url: str, wanted: list[str]) -> None:
    node("pictures/take.ts", url, FOLDER, *wanted, seconds=SECONDS_MAX)


def page() -> str:
    """What the folder's README should say: every scene that there is a picture of."""
    scenes = sorted({path.name.rsplit("-", 2)[0] for path in FOLDER.glob("*.png")})
    sections = []
    for scene in scenes:
        names = [f"{scene}-{width}-{theme}.png" for theme in THEMES for width in WIDTHS]
        pictures = [f"[{name.removesuffix('.png')}]({name})" for name in names if (FOLDER / name).exists()]
        sections.append(f"## {scene}\n\n![{scene}]({scene}-1280-light.png)\n\n{' · '.join(pictures)}\n")
    return "\n".join([INTRODUCTION, *sections])


def main(wanted: list[str]) -> int:
    """The exit status."""
    asyncio.run(_taken(wanted))
    (FOLDER / "README.md").write_text(page())
    size = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    sys.stdout.write(f"{size / 2**20:.1f} MiB of pictures\n")
    return int(size > ALL_BYTES_MAX)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
