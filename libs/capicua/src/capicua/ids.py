"""The names of commands."""

import uuid


def new_id() -> str:
    """Of a new command; 32 hexadecimal digits, by chance. It is sent again with the same one."""
    return uuid.uuid4().hex
