"""The same work by two builds of Godwit."""

from __future__ import annotations

import sys
from dataclasses import replace

from .measuring import Measured, Work, alternately


def compared(older: dict[str, Work], newer: dict[str, Work], only: str, rounds: int) -> list[tuple[Measured, Measured]]:
    """Every work that both have and whose name has a text in it; the two take turns."""
    found = []
    for name in (name for name in older if name in newer and only in name):
        print(f"bench: {name}", file=sys.stderr, flush=True)
        works = [replace(older[name], name="older"), replace(newer[name], name="newer")]
        first, second = alternately(works, rounds)
        found.append((replace(first, work=older[name]), replace(second, work=newer[name])))
    return found
