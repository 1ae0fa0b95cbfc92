"""The versions of aggregates that are over, in some twenty bytes each."""

from array import array

BITS = 2**64 - 1
FULL = 0.7
SLOTS_MIN = 64


def fingerprint(text: str) -> int:
    """64 bits, never 0, of this process only: two of ten million texts share theirs in one audit of 400,000."""
    return hash(text) & BITS or 1


class Over:
    """Open addressing with linear probing over two arrays: 12 bytes a slot, at least a third of them in use."""

    def __init__(self) -> None:
        self._count = 0
        self._make(SLOTS_MIN)

    def __len__(self) -> int:
        return self._count

    @property
    def bytes(self) -> int:
        """The memory of all slots."""
        return len(self._names) * (self._names.itemsize + self._versions.itemsize)

    def version(self, aggregate: str) -> int | None:
        slot = self._slot(fingerprint(aggregate))
        return self._versions[slot] if self._names[slot] else None

    def put(self, aggregate: str, version: int) -> None:
        if self._count >= FULL * len(self._names):
            names, versions = self._names, self._versions
            self._make(2 * len(names))
            for name, kept in zip(names, versions, strict=True):
                if name:
                    self._put(name, kept)
        self._put(fingerprint(aggregate), version)

    def _make(self, slots: int) -> None:
        self._names, self._versions = array("Q", bytes(8 * slots)), array("I", bytes(4 * slots))
        self._count = 0

    def _put(self, name: int, version: int) -> None:
        slot = self._slot(name)
        self._count += not self._names[slot]
        self._names[slot], self._versions[slot] = name, version

    def _slot(self, name: int) -> int:
        """Where the name stands, or the empty slot where it belongs."""
        mask = len(self._names) - 1
        slot = name & mask
        while self._names[slot] not in (0, name):
            slot = (slot + 1) & mask
        return slot
