"""Finds a fault."""

from ...outcome import Outcome
from ...settings import Settings


def run(settings: Settings) -> Outcome:
    (settings.binary.parent / "broken has run").touch()
    return Outcome("broken", points=1, failures=["a fault"])
