"""Checks how a command fails: its exit code, the one clear line with it, and what it left behind."""

from __future__ import annotations

import os
import re
from pathlib import Path

from . import reading
from .birdlog import CLOUD, LOCAL, OUTPUT, PREFERENCES, SCRATCH

#: The codes of docs/exit-codes.md that a disturbed command may end with; 70, a bug, is never right.
DONE, CANNOT_CREATE, IO, PERMISSION, INTERRUPTED, TERMINATED = 0, 73, 74, 77, 130, 143
ERROR = "godwit: error: "
HINT = "hint: "
#: Errors of a disk or quota, and of rights, with their exit codes.
CODES = {"ENOSPC": IO, "EDQUOT": IO, "EIO": IO, "EFBIG": IO, "EROFS": PERMISSION, "EACCES": PERMISSION}


def faults_of_status(status: int | None, allowed: set[int]) -> list[str]:
    """What is wrong with the way a command ended."""
    if status is None:
        return ["it hangs"]
    if status < 0 or status > 128 and status not in allowed:
        return [f"it dies of signal {-status if status < 0 else status - 128}"]
    return [] if status in allowed else [f"it exits {status}, not {' or '.join(map(str, sorted(allowed)))}"]


def faults_of_message(stderr: str, folder: Path, product: str | None, names_file: bool = True) -> list[str]:
    """What is wrong with the error: it must be one line that names a known file, and then a hint, as the last lines."""
    lines = stderr.splitlines()
    errors = [line for line in lines if line.startswith(ERROR)]
    if len(errors) != 1:
        return [f"{len(errors)} error lines on standard error: {lines[-3:]}"]
    faults = []
    end = lines[lines.index(errors[0]) + 1:]
    if len(end) != 1 or not end[0].startswith(HINT) or len(end[0]) < 20:
        faults.append(f"the error line is followed by {end}, not by a hint")
    if re.search(r"[\x00-\x1f\x7f]", errors[0]):
        faults.append("control characters in the error line")
    if ".godwit-" in errors[0]:
        faults.append(f"the error names a temporary file: {errors[0]}")
    if names_file and not any(name in errors[0] for name in _known_names(folder, product)):
        faults.append(f"the error names no file: {errors[0]}")
    return faults


def _known_names(folder: Path, product: str | None) -> list[str]:
    names = [Path(name).name for name in (LOCAL, CLOUD, PREFERENCES)]
    names += [str(folder / SCRATCH), str(folder / OUTPUT), str(Path(PREFERENCES).parent), str(Path(LOCAL).parent)]
    # A product in folders of its own needs those first.
    return names + ["standard output"] + ([product, product.partition("/")[0]] if product else [])


def leftovers(folder: Path, but_journals: bool = False) -> list[str]:
    """Files left behind; the next process may use a journal that SQLite could not roll back on a failing disk."""
    return [f"left behind: {path}" for path in reading.leftovers(folder)
            if not (but_journals and path.endswith("-journal") and "/.godwit-" not in path)]


def text_of(stdout: str, folder: Path) -> str:
    """A report without what differs from run to run: times, identifiers, and line breaks."""
    plain = re.sub(r"\bin \d[\d.]* m?s\b", "in TIME", stdout.replace(str(folder), "BOX"))
    return " ".join(re.sub(r"[0-9A-F]{8}-[0-9A-F-]{27}|\d+", "#", plain).split())


def is_root() -> bool:
    return os.geteuid() == 0
