"""Can't run here."""

from ...outcome import Outcome, Skipped
from ...settings import Settings


def run(settings: Settings) -> Outcome:
    raise Skipped("something is not here")
