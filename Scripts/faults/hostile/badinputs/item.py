"""One bad input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Taken as it is: done, or partial under --strict.
TAKEN = frozenset({0})
#: Refused as bad data.
BAD = frozenset({65})
#: No input: missing, or no regular file.
ABSENT = frozenset({66})
#: Refused because the manifest's path leaves the container.
UNSAFE = frozenset({78})


@dataclass(frozen=True)
class Item:
    """A bad input: how it is written to a path, and which exit codes a command that reads it may answer with.

    `why` says what is wrong with it, or why it is taken after all.
    """

    name: str
    codes: frozenset[int]
    why: str
    write: Callable[[Path], None]

    @staticmethod
    def of(name: str, data: bytes | str, codes: frozenset[int], why: str) -> "Item":
        """An item that is one file with these bytes."""
        content = data.encode() if isinstance(data, str) else data
        return Item(name, codes, why, lambda path: path.write_bytes(content) and None)
