"""What a part of the sweep found, and how it says so."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field


class Skipped(Exception):
    """A part can't run here; the message says what is missing."""


@dataclass
class Outcome:
    """The points of one part and those that failed."""

    part: str
    noun: str = "points"
    points: int = 0
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def failed(self, what: str) -> None:
        """Counts a point that broke a promise, and prints it at once."""
        self.points += 1
        self.failures.append(what)
        print(f"FAILED {self.part}: {what}", file=sys.stderr, flush=True)

    def judge(self, what: str, faults: list[str] | None) -> bool:
        """Counts a point by the faults that were found in it, and returns true; None is a point that was never reached."""
        if faults:
            self.failed(f"{what}: {'; '.join(faults[:3])}")
        else:
            self.points += faults is not None
        return faults is not None

    @property
    def holds(self) -> bool:
        """A part without points has shown nothing."""
        return self.points > 0 and not self.failures

    def closing_line(self) -> str:
        seconds = time.monotonic() - self.started
        notes = "".join(f", {note}" for note in self.notes)
        return f"{self.part}: {self.points} {self.noun}, {len(self.failures)} failed{notes}, {seconds:.0f} s"
