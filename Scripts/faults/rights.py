"""A user without rights: files and folders that may not be written or read, and some of another user."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import ending
from .birdlog import APP, CLOUD, CONTAINER, LOCAL, OUTPUT, PREFERENCES, SCRATCH
from .judgment import Box
from .outcome import Outcome
from .scenario import execute
from .settings import Settings

#: The user and group without rights; the command runs as them if this process is root.
OTHER_USER = 65534
FILES = (f"{CONTAINER}/{LOCAL}", f"{CONTAINER}/{CLOUD}", f"{CONTAINER}/{PREFERENCES}", f"{APP}/godwit.yaml")
FOLDERS = (CONTAINER, str(Path(f"{CONTAINER}/{LOCAL}").parent), str(Path(f"{CONTAINER}/{PREFERENCES}").parent), SCRATCH,
           OUTPUT, f"{APP}/migrations")


@dataclass(frozen=True)
class Restriction:
    """The rights that one file or folder loses."""

    path: str
    mode: int
    is_foreign: bool = False

    def __str__(self) -> str:
        return f"{Path(self.path).name} {self.mode:04o}{' of another user' if self.is_foreign else ''}"

    def apply(self, folder: Path) -> None:
        target = folder / self.path
        if self.is_foreign:
            os.chown(target, 0, 0)
        target.chmod(self.mode)

    def lift(self, folder: Path, template: Path) -> None:
        (folder / self.path).chmod((template / self.path).stat().st_mode & 0o7777)


def restrictions() -> list[Restriction]:
    found = [Restriction(path, mode) for path in FILES for mode in (0o400, 0o000)]
    found += [Restriction(path, mode) for path in FOLDERS for mode in (0o500, 0o000)]
    if ending.is_root():
        found += [Restriction(path, mode, True) for path in FILES for mode in (0o644, 0o600)]
        found += [Restriction(path, mode, True) for path in FOLDERS for mode in (0o755, 0o700)]
    return found


def try_all(boxes: list[Box], settings: Settings, outcome: Outcome) -> None:
    """Each restriction on each scenario; some in the quick sweep."""
    binary = settings.base / "godwit"
    shutil.copy(settings.binary, binary)
    settings.base.chmod(0o711)
    if not ending.is_root():
        outcome.notes.append("without rights: files of other users SKIPPED, this is not root")
    cases = [(box, restriction) for box in boxes for restriction in restrictions()
             if (box.template / restriction.path).exists()]
    if settings.quick:
        cases = cases[settings.offset("rights") % 5::5]
    settings.each(lambda case: _try(*case, binary, outcome), cases)


def _try(box: Box, restriction: Restriction, binary: Path, outcome: Outcome) -> None:
    with box.copied() as folder:
        if ending.is_root():
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, OTHER_USER, OTHER_USER, follow_symlinks=False)
        restriction.apply(folder)
        user = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []} if ending.is_root() else {}
        done = execute([binary, *box.argv(folder)[1:]], folder, **user)
        restriction.lift(folder, box.template)
        outcome.judge(f"{box.scenario.name}, {restriction}", judge(box, restriction, folder, done))


def judge(box: Box, restriction: Restriction, folder: Path, done: subprocess.CompletedProcess) -> list[str]:
    faults = box.faults_of_end(folder, done, {ending.PERMISSION}, names_file=False)
    status, stderr = box.reported(folder, done.returncode, done.stderr)
    if status == ending.DONE:
        return faults
    names = [Path(restriction.path).name, str(Path(restriction.path).parent)]
    errors = [line for line in stderr.splitlines() if line.startswith(ending.ERROR)]
    if len(errors) != 1 or not any(name in errors[0] for name in names):
        faults.append(f"no error line that names what is restricted: {errors}")
    return faults or box.run_again(folder)
