"""Comes to no end."""

from ...outcome import Outcome
from ...settings import Settings


def run(settings: Settings) -> Outcome:
    raise RuntimeError("an undisturbed run exits 65")
