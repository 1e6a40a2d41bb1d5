"""One at a time: the container's lock, two runs that meet, and an app that does not know of either.

Each module below tries one kind of company; what they have in common is that a command is stopped where it is most
inconvenient, not where luck has it.
"""

from __future__ import annotations

from ..outcome import Outcome
from ..settings import Settings
from .. import tracing
from . import appwrites, crowd, descriptors, heldstores, oldstores, overtaking, pairs, places

KINDS = (descriptors, pairs, overtaking, appwrites, heldstores, oldstores, crowd, places)


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    outcome = Outcome("locks")
    for kind in KINDS:
        before = outcome.points
        kind.run(settings, outcome)
        outcome.notes.append(f"{outcome.points - before} {kind.NOUN}")
    return outcome
