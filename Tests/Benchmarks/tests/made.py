"""Figures as if they had been measured."""

from __future__ import annotations

from pathlib import Path

from Benchmarks.measuring import Measured, Taken, Work


def measured(name: str, *seconds: float, size: int = 0, mebibytes: float = 30, processors: float = 1) -> Measured:
    """A round for each of the times; without a size there is no product."""
    work = Work(name, "true", Path("product") if size else None)
    return Measured(work, tuple(Taken(one, processors, mebibytes + place) for place, one in enumerate(seconds)), size)
