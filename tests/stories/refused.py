"""What the SDK's people are told when something cannot be done."""

from collections.abc import Awaitable
from typing import Any

import pytest

from capicua import Refused


async def refused(command: Awaitable[Any]) -> str:
    """Why; and whoever was refused can read what was expected and what came."""
    with pytest.raises(Refused) as raised:
        await command
    assert raised.value.expected
    assert raised.value.got
    return raised.value.code
