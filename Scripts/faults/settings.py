"""Which binary a sweep tries, and how many of the points."""

from __future__ import annotations

import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Settings:
    """The quick sweep takes a spread of the points; the full one takes all."""

    binary: Path
    base: Path
    quick: bool
    jobs: int = 2
    seed: int = 1
    #: Only scenarios whose name contains this.
    only: str = ""
    verbose: bool = False

    @property
    def stride(self) -> int:
        """One point of so many is taken."""
        return 97 if self.quick else 1

    @property
    def double_kills(self) -> int:
        """Number for each scenario."""
        return 1 if self.quick else 30

    @property
    def random_kills(self) -> int:
        """Number for each scenario; some come after the command has ended and do not count."""
        return 1 if self.quick else 16

    @property
    def mixed_states(self) -> int:
        """Random mixtures of lost and kept writes for each call of the power cut."""
        return 2 if self.quick else 6

    def offset(self, name: str) -> int:
        """The start of a spread: not always the first call, which is the least interesting."""
        return zlib.crc32(f"{self.seed} {name}".encode())

    def takes(self, name: str) -> bool:
        """Whether the quick sweep takes one of many alike: it takes half of them, and another half with another seed."""
        return bool(self.only) or self.offset(name) % 2 == 0

    def chosen(self, items: list[Item]) -> list[Item]:
        return [item for item in items if self.only in getattr(item, "name", "")]

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """The results of some work on each item, by several threads, in the order of the items."""
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(work, items))

    def say(self, text: str) -> None:
        if self.verbose:
            print(text, file=sys.stderr, flush=True)
