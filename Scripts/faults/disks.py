"""Real disks and real rights: a full tmpfs, a read-only mount, a user without rights, a file-size limit, short writes.

What errors.py injects is what a system might say; this is what it does say.
"""

from __future__ import annotations

from . import limits, rights, volumes
from .birdlog import CONTAINER, OUTPUT, SCRATCH
from .judgment import Box
from .ending import DONE, IO, PERMISSION, faults_of_message, faults_of_status, leftovers
from .outcome import Outcome, Skipped
from .scenario import BARE, common, execute
from .scenarios import diagonal, scenarios
from .settings import Settings

#: The folders that lie on a volume of their own, and get full.
PLACES = (CONTAINER, SCRATCH, OUTPUT)
#: Commands that only read the container.
READERS = ("plan", "verify", "status", "history", "export")


def run(settings: Settings) -> Outcome:
    outcome = Outcome("disks", "faulty disks")
    # What only looks has its own words for each thing that it can't read, and goes on.
    chosen = [scenario for scenario in settings.chosen(scenarios())
              if scenario.command not in BARE and not scenario.names_folder]
    if settings.quick and not settings.only:
        chosen = diagonal(chosen)
    boxes = [Box(scenario, settings.binary, settings.base) for scenario in chosen]
    tally: dict[str, int] = {}
    for name, body in (
        ("on a full disk", lambda: in_namespace(boxes, settings, outcome, full)),
        ("read-only", lambda: in_namespace(boxes, settings, outcome, read_only)),
        ("without rights", lambda: rights.try_all(boxes, settings, outcome)),
        ("under a file-size limit", lambda: limits.file_sizes(boxes, settings, outcome)),
        ("with short writes", lambda: limits.short_writes(boxes, settings, outcome)),
    ):
        before = outcome.points
        try:
            body()
            tally[name] = outcome.points - before
        except Skipped as reason:
            outcome.notes.append(f"{name}: SKIPPED, nothing was shown: {reason}")
        settings.say(f"{name}: {outcome.points - before}")
    outcome.notes.append(", ".join(f"{count} {name}" for name, count in tally.items()))
    return outcome


def in_namespace(boxes: list[Box], settings: Settings, outcome: Outcome, body) -> None:
    """Runs a body where it may mount; its points come back from the child process that did."""
    def inside() -> Outcome:
        found = Outcome(outcome.part, outcome.noun)
        for box in boxes:
            body(box, settings, found)
        return found

    found = volumes.in_private_namespace(inside)
    outcome.points += found.points
    outcome.failures += found.failures


def full(box: Box, settings: Settings, outcome: Outcome) -> None:
    """Every amount of free space, in steps of 4 KiB, until the command gets through; for each folder."""
    for place in PLACES:
        free, through = 0, 0
        while through < 2 and free <= volumes.SIZE // 2:
            folder = box.copy()
            with volumes.small(folder / place):
                volumes.fill(folder / place, free)
                done = execute(box.argv(folder), folder)
                faults = judge(box, folder, done, {IO})
                (folder / place / volumes.FILLER).unlink()
                faults = faults or box.run_again(folder)
            outcome.judge(f"{box.scenario.name}, {place} with {free} bytes free", faults)
            through += done.returncode == DONE
            free += volumes.STEP * (8 if settings.quick else 1)
            box.discard(folder)


def read_only(box: Box, settings: Settings, outcome: Outcome) -> None:
    """Each folder read-only; then what only reads, on a container that is read-only altogether."""
    for place in PLACES:
        folder = box.copy()
        with volumes.read_only(folder / place):
            done = execute(box.argv(folder), folder)
            faults = judge(box, folder, done, {PERMISSION})
            if place == CONTAINER and done.returncode == DONE and box.scenario.product is None:
                faults.append("it exits 0 on a read-only container")
        outcome.judge(f"{box.scenario.name}, {place} read-only", faults or box.run_again(folder))
        box.discard(folder)
    # What reads is no other in a box for a fleet than in the one for a single command.
    if not box.scenario.is_fleet:
        readers(box, outcome)


def readers(box: Box, outcome: Outcome) -> None:
    """What only reads works on a read-only container just as on any other."""
    for command in READERS:
        folder = box.copy()
        argv = [str(box.binary), command, *common(folder)]
        expected = execute(argv, folder)
        with volumes.read_only(folder / CONTAINER):
            done = execute(argv, folder)
        faults = faults_of_status(done.returncode, {expected.returncode}) + leftovers(folder)
        if done.returncode == 0 and not done.stdout:
            faults.append("it says nothing")
        outcome.judge(f"{command} on a read-only container ({box.scenario.variant.name})", faults)
        box.discard(folder)


def judge(box: Box, folder, done, allowed: set[int]) -> list[str]:
    """How a command took it: through with everything, or the right code, one clear line, and nothing half done."""
    status, stderr = box.told(folder, done.returncode, done.stderr)
    faults = faults_of_status(status, allowed | {DONE})
    if status == DONE:
        return faults + box.faults_at_end(folder)
    return (faults + box.faults_whenever(folder) + leftovers(folder, but_journals=True)
            + faults_of_message(stderr, folder, box.scenario.product))
