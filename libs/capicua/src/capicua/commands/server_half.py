"""Whether the extra `server` is installed, by which the whole product runs on this machine."""

from importlib.util import find_spec

from capicua.commands.typed import typed


def has_server() -> bool:
    """Without importing anything of it."""
    return find_spec("bus") is not None


def how_to_start() -> str:
    """What to do where no server answers."""
    return f"'{typed()} up' starts it." if has_server() else "--url or CAPICUA_URL says where."
