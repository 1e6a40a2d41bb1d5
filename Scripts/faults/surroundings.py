"""Odd surroundings: closed descriptors, full devices, strange names, limits, locales, modes, no home, no /proc.

In each a command must end with a documented code, with the right result or a clear line, and leave the files as they
should be; an ordinary run afterwards completes. A surrounding that can't be made here is said to be skipped, by name.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from .environments import coredata, descriptors, environments, names, rights, system
from .environments.surrounding import Surrounding, carry_out
from .outcome import Outcome
from .settings import Settings


def surroundings() -> list[Surrounding]:
    """All of them."""
    plain = [
        *descriptors.surroundings(), *environments.surroundings(), *names.surroundings(), *rights.surroundings(),
        *system.surroundings(),
    ]
    return plain + coredata.twins(plain)


def run(settings: Settings) -> Outcome:
    """Calls commands in each surrounding."""
    outcome = Outcome("surroundings", noun="calls")
    chosen = settings.chosen(surroundings())
    if settings.quick:
        chosen = [each for each in chosen if each.is_quick and settings.takes(each.name)]
    skipped = []
    with ThreadPoolExecutor(max_workers=2 * settings.jobs) as pool:
        for each, (calls, failures, reason) in zip(chosen, pool.map(lambda one: carry_out(one, settings), chosen)):
            outcome.points += calls - len(failures)
            for failure in failures:
                outcome.failed(failure)
            if reason:
                skipped.append(f"{each.name} ({reason})")
    outcome.notes.append(f"{len(chosen) - len(skipped)} surroundings")
    if skipped:
        outcome.notes.append(f"SKIPPED {', '.join(skipped)}")
    return outcome
