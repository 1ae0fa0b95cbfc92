"""What comes of a command to a region."""

from collections.abc import Sequence
from typing import TypeAlias

from contracts.envelope import Refusal
from contracts.region import RegionEvent

Result: TypeAlias = Sequence[RegionEvent] | Refusal
