"""How much of a sweep is done, and with what."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Settings:
    """The quick sweep takes a spread of the points; the full one takes all."""

    binary: Path
    base: Path
    quick: bool
    jobs: int = 2
    seed: int = 1
    #: Only scenarios whose name has this in it.
    only: str = ""
    verbose: bool = False

    @property
    def stride(self) -> int:
        """Every how many points one is taken."""
        return 97 if self.quick else 1

    @property
    def double_kills(self) -> int:
        """For each scenario."""
        return 1 if self.quick else 30

    @property
    def random_kills(self) -> int:
        """For each scenario; some come after the command has ended and do not count."""
        return 1 if self.quick else 16

    @property
    def mixed_states(self) -> int:
        """Random mixtures of lost and kept for each call, in the power cut."""
        return 2 if self.quick else 6

    def offset(self, name: str) -> int:
        """Where the spread begins: not always at the first call, which is the least interesting."""
        return zlib.crc32(f"{self.seed} {name}".encode())

    def takes(self, name: str) -> bool:
        """Whether one of many alike is in the half that the quick sweep takes; another seed takes another half."""
        return bool(self.only) or self.offset(name) % 2 == 0

    def chosen(self, items: list[Item]) -> list[Item]:
        return [item for item in items if self.only in getattr(item, "name", "")]

    def say(self, text: str) -> None:
        if self.verbose:
            print(text, file=sys.stderr, flush=True)
