"""Many containers at once, with processes that are killed, stopped or doubled: in the end each is done exactly once.

Other parts sweep a single command over one container, and a fleet of one. This part tries what several have in common:
the journal, the processes, and containers that two processes want at the same time.
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
        raise Skipped("which processes are workers is read from /proc, which does not exist here")
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
