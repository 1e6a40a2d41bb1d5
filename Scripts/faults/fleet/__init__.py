"""Many containers at once, and whoever does them killed, stopped or doubled: in the end each is done, and done once.

What a single command over one container withstands is swept elsewhere, as is a fleet of one. Here it is about what they
have in common: the journal, the processes, the containers that two of them want at the same time.
"""

from __future__ import annotations

from pathlib import Path

from ..outcome import Outcome, Skipped
from ..settings import Settings
from .kinds import Kinds
from .ordeals import Ordeals
from .plan import Plan
from .scene import Scene


def run(settings: Settings) -> Outcome:
    if not Path("/proc/self/task").exists():
        raise Skipped("which processes are workers is read from /proc, which is not here")
    outcome = Outcome("fleet", "kills, stops and containers")
    plan = Plan.quick(settings.seed) if settings.quick else Plan.full(settings.seed)
    kinds = Kinds(settings.binary, settings.base / "kinds")
    ordeals = Ordeals(settings, plan, Scene.build(settings.base / "template", kinds, plan.containers), outcome)
    ordeals.undisturbed()
    for number in range(plan.rounds):
        ordeals.disturbed(number)
    for number in range(plan.crowds):
        ordeals.shards(number)
        ordeals.rivals(number)
    ordeals.held_journal()
    ordeals.torn_journals()
    outcome.notes += ordeals.figures()
    return outcome
