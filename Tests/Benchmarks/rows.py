"""What is compared with what, and what Godwit wants to reach."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from .filling import Filling
from .measuring import Measured, Work, alternately


@dataclass(frozen=True)
class Aim:
    """How many times as fast at least, and whether the product may be no larger."""

    times_as_fast: float
    words: str
    no_larger: bool = False

    def is_reached(self, ours: Measured, yardstick: Measured) -> bool:
        is_quick = yardstick.seconds >= self.times_as_fast * ours.seconds
        return is_quick and (not self.no_larger or ours.size <= yardstick.size)


def faster(times: float, no_larger: bool = False) -> Aim:
    return Aim(times, f"{times:g} x as fast" + (", no larger" if no_larger else ""), no_larger)


def at_most(times: float) -> Aim:
    """So many times what the yardstick takes."""
    return Aim(1 / times, f"at most {times:g} x its time")


@dataclass(frozen=True)
class Row:
    """A comparison; without an aim it only shows the figures."""

    title: str
    ours: Work
    yardstick: Work
    aim: Aim | None = None


@dataclass(frozen=True)
class Compared:
    """A row and its figures."""

    row: Row
    ours: Measured
    yardstick: Measured
    #: What the machine took for as many bytes, by turns with these; None where it was not measured.
    machine: Measured | None = None

    @property
    def ratio(self) -> float:
        """How many times as fast as the yardstick."""
        return self.yardstick.seconds / self.ours.seconds

    @property
    def ratio_words(self) -> str:
        """In the words of the aim: a time is compared with a time."""
        if self.row.aim and self.row.aim.times_as_fast < 1:
            return f"{1 / self.ratio:.2f} x its time"
        return f"{self.ratio:.2f} x as fast"

    @property
    def is_reached(self) -> bool | None:
        return self.row.aim.is_reached(self.ours, self.yardstick) if self.row.aim else None


def compared(rows: list[Row], rounds: int, machine: Work | None = None,
             filling: Filling | None = None) -> list[Compared]:
    """Rows of the same work of Godwit's take turns with each other: that work is measured once for all of them."""
    groups: dict[Work, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.ours, []).append(row)
    found: dict[str, Compared] = {}
    for ours, group in groups.items():
        print(f"bench: {', '.join(row.title for row in group)}", file=sys.stderr, flush=True)
        works = list(dict.fromkeys([ours, *(row.yardstick for row in group), *([machine] if machine else [])]))
        measured = dict(zip(works, alternately(works, rounds, filling)))
        found.update({row.title: Compared(row, measured[ours], measured[row.yardstick], measured[machine] if machine else None)
                      for row in group})
    return [found[row.title] for row in rows]
