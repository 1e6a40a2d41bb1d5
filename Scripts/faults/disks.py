"""Real disks and real rights: a full tmpfs, a read-only mount, a user without rights, a file-size limit, short writes.

`errors` injects what a system might answer; this part tries what the system does answer.
"""

from __future__ import annotations

from . import limits, rights, volumes
from .birdlog import CONTAINER, OUTPUT, SCRATCH
from .judgment import Box
from .ending import DONE, IO, PERMISSION, faults_of_status, leftovers
from .outcome import Outcome, Skipped
from .scenario import BARE, common, execute
from .scenarios import diagonal, scenarios
from .settings import Settings

#: The folders that are put on a volume of their own.
PLACES = (CONTAINER, SCRATCH, OUTPUT)
#: Commands that only read the container.
READERS = ("plan", "verify", "status", "history", "export")


def run(settings: Settings) -> Outcome:
    outcome = Outcome("disks", "faulty disks")
    # `inspect` and `init` report each thing that they cannot read, and go on.
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
    """Runs a body in a child process that may mount, and takes over its points."""
    def inside() -> Outcome:
        found = Outcome(outcome.part, outcome.noun)
        for box in boxes:
            body(box, settings, found)
        return found

    found = volumes.in_private_namespace(inside)
    outcome.points += found.points
    outcome.failures += found.failures


def full(box: Box, settings: Settings, outcome: Outcome) -> None:
    """Tries every amount of free space, in steps of 4 KiB, until the command completes; for each folder."""
    for place in PLACES:
        free, through = 0, 0
        while through < 2 and free <= volumes.SIZE // 2:
            with box.copied() as folder, volumes.small(folder / place):
                volumes.fill(folder / place, free)
                done = execute(box.argv(folder), folder)
                faults = box.faults_of_end(folder, done, {IO})
                (folder / place / volumes.FILLER).unlink()
                faults = faults or box.run_again(folder)
            outcome.judge(f"{box.scenario.name}, {place} with {free} bytes free", faults)
            through += done.returncode == DONE
            free += volumes.STEP * (8 if settings.quick else 1)


def read_only(box: Box, settings: Settings, outcome: Outcome) -> None:
    """Makes each folder read-only; then runs the commands that only read on a read-only container."""
    for place in PLACES:
        with box.copied() as folder:
            with volumes.read_only(folder / place):
                done = execute(box.argv(folder), folder)
                faults = box.faults_of_end(folder, done, {PERMISSION})
                if place == CONTAINER and done.returncode == DONE and box.scenario.product is None:
                    faults.append("it exits 0 on a read-only container")
            outcome.judge(f"{box.scenario.name}, {place} read-only", faults or box.run_again(folder))
    # The reading commands are the same in the box of a fleet and of a single command.
    if not box.scenario.is_fleet:
        readers(box, outcome)


def readers(box: Box, outcome: Outcome) -> None:
    """Commands that only read work on a read-only container as on any other."""
    for command in READERS:
        with box.copied() as folder:
            argv = [str(box.binary), command, *common(folder)]
            expected = execute(argv, folder)
            with volumes.read_only(folder / CONTAINER):
                done = execute(argv, folder)
            faults = faults_of_status(done.returncode, {expected.returncode}) + leftovers(folder)
        if done.returncode == 0 and not done.stdout:
            faults.append("it says nothing")
        outcome.judge(f"{command} on a read-only container ({box.scenario.variant.name})", faults)
