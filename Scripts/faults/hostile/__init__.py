"""Hostile input: every command must answer each with a documented code and one clear line, and write nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from ..outcome import Outcome
from ..settings import Settings
from . import books, clocks, corpus, exports, flags, layouts, manifests, schemafiles, undone
from .case import Case, carry_out


def cases() -> list[Case]:
    """All cases."""
    return [
        *manifests.cases(), *schemafiles.cases(), *flags.cases(), *clocks.cases(), *layouts.cases(), *books.cases(),
        *undone.cases(),
        *corpus.cases(),
    ]


def run(settings: Settings) -> Outcome:
    """Puts every hostile input to the commands that read it."""
    outcome = Outcome("hostile", noun="calls")
    found = cases()
    if exports.is_known(settings.binary):
        found += exports.cases()
    else:
        outcome.notes.append("exports SKIPPED: this godwit has no import")
    chosen = settings.chosen(found)
    if settings.quick:
        chosen = [case for case in chosen if case.quick and settings.takes(case.name)]
    with ThreadPoolExecutor(max_workers=2 * settings.jobs) as pool:
        for points, failures in pool.map(lambda case: carry_out(case, settings), chosen):
            outcome.points += points - len(failures)
            for failure in failures:
                outcome.failed(failure)
    outcome.notes.append(f"{len(chosen)} inputs")
    return outcome
