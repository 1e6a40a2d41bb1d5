"""Holds, and ends only after another part that runs at the same time."""

import time

from ...outcome import Outcome
from ...settings import Settings


def run(settings: Settings) -> Outcome:
    end = time.monotonic() + 60
    while not (settings.binary.parent / "broken has run").exists() and time.monotonic() < end:
        time.sleep(0.01)
    return Outcome("late", points=int(time.monotonic() < end))
