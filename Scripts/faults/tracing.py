"""Runs a command under strace, and disturbs it at the N-th call of one kind.

The counter of strace's `when=` is for each call and each thread, so points are swept call by call, beyond those of a
first, undisturbed recording, until a run completes. Without `--seccomp-bpf`, which loses injected signals.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .outcome import Skipped
from .scenario import COORDINATOR, WORKER, execute

#: Calls that change a file, a name or what is on the disk.
WRITING = (
    "write", "writev", "pwrite64", "pwritev", "pwritev2", "fsync", "fdatasync", "sync_file_range", "rename", "renameat",
    "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "truncate", "ftruncate", "fallocate",
    "mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat", "fchown", "copy_file_range", "sendfile", "ioctl", "open",
    "openat", "creat", "exit_group",
)
#: Of these only some write: making a file, sharing its blocks.
OPENING = ("open", "openat")
LINE = re.compile(r"^(\d+)\s+([a-z_0-9]+)\((.*)$")
UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"^(\d+)\s+(?:\d+\.\d+ )?<\.\.\. \w+ resumed>(.*)$")
#: For the coordinator of a fleet only: strace detaches from a process when it becomes a program, as a worker does.
#:
#: strace cannot follow only the worker, since it counts each thread by itself, the first one included. So the sweep takes
#: the calls of the worker with a higher number than any such call of the coordinator. The others, the first writes and
#: flushes, are calls of a command over a single container as well, which has its own sweep.
DETACHED = ("-b", "execve")


@dataclass(frozen=True)
class Point:
    """The N-th call of one kind."""

    call: str
    number: int

    def __str__(self) -> str:
        return f"{self.call} {self.number}"


@dataclass(frozen=True)
class Ending:
    """How a disturbed command ended; `status` is negative for a signal, None where it hung."""

    status: int | None
    stdout: str
    stderr: str
    fired: bool
    #: The lines of strace for the calls that it follows.
    log: str = ""


def require_strace() -> None:
    """Throws if nothing can be traced, so that silence does not count as success."""
    if shutil.which("strace") is None:
        raise Skipped("strace is not installed (on Debian: apt-get install strace)")
    tried = subprocess.run(["strace", "-qq", "-o", "/dev/null", "--", "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        raise Skipped(f"strace is not allowed to trace here: {tried.stderr.strip()}")


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Lines of strace with the calls put together that another thread's came in the middle of; where they ended."""
    begun: dict[str, str] = {}
    for line in lines:
        line = line.rstrip("\n")
        thread = line.partition(" ")[0]
        if line.endswith(UNFINISHED):
            begun[thread] = line.removesuffix(UNFINISHED)
        elif resumed := RESUMED.match(line):
            yield begun.pop(thread, f"{thread} ?(") + resumed[2]
        else:
            yield line
    # What never came back: the process ended in it.
    yield from begun.values()


def flat(found: dict[str, list[int]]) -> list[Point]:
    """The points of all calls, one after the other."""
    return [Point(call, number) for call, numbers in found.items() for number in numbers]


def points(argv: list[str], folder: Path, calls: tuple[str, ...] = WRITING, aim: str = "") -> dict[str, list[int]]:
    """The points of an undisturbed run: for each call the numbers at which it writes; of a fleet those of one kind."""
    log = folder.with_suffix(".strace")
    names = ",".join("?" + call for call in (*calls, *(["execve"] if aim else [])))
    ended = _strace(argv, folder, ["-e", f"trace={names}", "-s", "0"], log, 60)
    if ended.status != 0:
        raise RuntimeError(f"under strace it exits {ended.status}: {ended.stderr.strip()[-300:]}")
    text = log.read_text(errors="replace")
    log.unlink()
    return points_of(text, calls, aim)


def points_of(text: str, calls: tuple[str, ...], aim: str = "") -> dict[str, list[int]]:
    """The points in what strace wrote."""
    counts: dict[tuple[str, str], int] = {}
    found: dict[str, set[int]] = {}
    first = first_thread(text)
    for line in text.splitlines():
        match = LINE.match(line)
        if not match or match[2] not in calls:
            continue
        thread_call = (match[1], match[2])
        counts[thread_call] = counts.get(thread_call, 0) + 1
        if match[2] in OPENING and "O_CREAT" not in line or match[2] == "ioctl" and "FICLONE" not in line:
            continue
        if not aim or (match[1] == first) == (aim == COORDINATOR):
            found.setdefault(match[2], set()).add(counts[thread_call])
    if aim == WORKER:
        found = {call: {number for number in numbers if number > counts.get((first, call), 0)}
                 for call, numbers in found.items()}
    return {call: sorted(numbers) for call, numbers in found.items() if numbers}


def first_thread(text: str) -> str:
    """The thread of the first line: of a fleet with one job, all of the coordinator."""
    return text.partition(" ")[0]


def without_coordinator(text: str) -> str:
    """What strace wrote of the worker, from when it became a program: before, it is the coordinator's own fork."""
    first, begun, kept = first_thread(text), False, []
    for line in text.splitlines():
        if line.partition(" ")[0] != first:
            kept += [line] if begun else []
            begun = begun or " execve(" in line
    return "\n".join(kept)


def inject(argv: list[str], folder: Path, point: Point, fault: str, persist: bool | int = False, timeout: float = 60,
           more: tuple[str, ...] = (), options: tuple[str, ...] = (), aim: str = "") -> Ending:
    """Runs a command with a fault (`signal=SIGKILL`, `error=ENOSPC`, …) at a point, or from it on.

    `persist` may be a number: so many calls in a row, if the command would never end otherwise. `more` names further
    calls to follow, `options` are options of strace, `aim` is the kind of a fleet's processes that makes the call.
    """
    options += DETACHED if aim == COORDINATOR else ()
    log = folder.with_suffix(".strace")
    last = f"..{point.number + persist - 1}" if not isinstance(persist, bool) else "+" if persist else ""
    rule = f"inject={point.call}:{fault}:when={point.number}{last}"
    names = ",".join((point.call, *("?" + call for call in more)))
    ended = _strace(argv, folder, ["-e", f"trace={names}", "-e", rule, "-s", "0", *options], log, timeout)
    text = read(log)
    log.unlink(missing_ok=True)
    if fault == "signal=SIGKILL":
        fired = "+++ killed by SIGKILL" in text
    elif fault.startswith("signal="):
        fired = f"--- {fault.removeprefix('signal=')} " in text
    else:
        fired = "(INJECTED)" in text
    return Ending(ended.status, ended.stdout, ended.stderr, fired, text)


def follow(argv: list[str], folder: Path, calls: tuple[str, ...], aim: str = "") -> Ending:
    """Runs a command undisturbed and records its calls, descriptors with the paths they were opened from."""
    options = DETACHED if aim == COORDINATOR else ()
    log = folder.with_suffix(".strace")
    names = ",".join("?" + call for call in calls)
    ended = _strace(argv, folder, ["-e", f"trace={names}", "-e", "signal=none", "-s", "0", "-y", *options], log, 60)
    text = read(log)
    log.unlink(missing_ok=True)
    return Ending(ended.status, ended.stdout, ended.stderr, False, text)


def read(log: Path) -> str:
    """What strace wrote, each call in one line."""
    return "\n".join(joined(log.read_text(errors="replace").splitlines())) if log.exists() else ""


def _strace(argv: list[str], folder: Path, options: list[str], log: Path, timeout: float) -> Ending:
    # -q and not -qq: of two processes it says which of them was killed.
    command = ["strace", "-f", "-q", "-o", str(log), *options, "--", *argv]
    try:
        done = execute(command, folder, timeout=timeout)
    except subprocess.TimeoutExpired as expired:
        return Ending(None, "", str(expired.stderr or ""), True)
    return Ending(done.returncode, done.stdout, done.stderr, False)
