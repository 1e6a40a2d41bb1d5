"""Stops a command at the N-th call of one kind, so that something else can happen there, and lets it go on.

So the sweeps try every interleaving of a run and another process on purpose, not by luck. A stop comes after the call:
the state before the first call needs no stop.
"""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Callable

from .scenario import execute, start
from .tracing import LINE, WRITING, Ending, Point

STOPPED = re.compile(r"^(\d+) +--- stopped by SIGSTOP", re.MULTILINE)
#: Calls that change nothing and yet come between two decisions: asking for a lock, looking, reading, opening.
LOOKING = ("fcntl", "pread64", "read", "newfstatat", "fstat", "openat", "close", "flock", "readlink", "getdents64")
#: All calls at which a command is stopped.
CALLS = (*WRITING, *LOOKING)
#: Of them, those that need no stop.
SKIPPED = ("exit_group", "ioctl")


class Paused:
    """A command that is stopped once at a point; `stopped` is false where it ended before it got there."""

    def __init__(self, argv: list[str], folder: Path, point: Point, follow: tuple[str, ...] = ("flock", "close"),
                 timeout: float = 60) -> None:
        self.argv, self.folder, self.point, self.follow = argv, folder, point, follow
        self.deadline = time.monotonic() + timeout
        self.log = folder.with_suffix(".pause")
        self.stopped = False
        self.pid = 0

    def __enter__(self) -> "Paused":
        calls = ",".join(dict.fromkeys((self.point.call, *self.follow)))
        rule = f"inject={self.point.call}:signal=SIGSTOP:when={self.point.number}"
        self.strace = start(
            ["strace", "-f", "-qq", "-y", "-s", "0", "-o", self.log, "-e", "signal=SIGSTOP", "-e", f"trace={calls}",
             "-e", rule, "--", *self.argv], self.folder)
        while self.strace.poll() is None and time.monotonic() < self.deadline:
            match = STOPPED.search(self.trace())
            if match:
                self.stopped, self.pid = True, int(match[1])
                break
            time.sleep(0.003)
        return self

    def trace(self) -> str:
        """What strace has written so far of the calls that are followed."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def go_on(self) -> None:
        """Lets it go on; does nothing if it runs already or has ended."""
        self.send(signal.SIGCONT)

    def kill(self) -> None:
        """As `kill -9` does, while it is stopped."""
        self.send(signal.SIGKILL)

    def send(self, number: signal.Signals) -> None:
        # strace ends a moment after the command: in between the process does not exist.
        if self.pid and self.strace.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def end(self) -> Ending:
        """Waits for the command's own end; its status is None where it hangs."""
        while True:
            try:
                stdout, stderr = self.strace.communicate(timeout=1)
                return Ending(self.strace.returncode, stdout, stderr, self.stopped)
            except TimeoutExpired:
                if time.monotonic() > self.deadline:
                    return Ending(None, "", "", self.stopped)
                # A signal that came before the stop was complete may be lost.
                self.go_on()

    def __exit__(self, *_: object) -> None:
        if self.strace.poll() is None:
            self.kill()
            self.strace.kill()
            self.strace.communicate()
        self.log.unlink(missing_ok=True)


def container_lock(trace: str, container: Path) -> str:
    """The container's lock that a stopped command holds: `exclusive`, `shared` or `none`."""
    held, descriptor = "none", ""
    folder = re.escape(str(container))
    taken = re.compile(rf"flock\((\d+)<{folder}>, LOCK_(EX|SH)\|LOCK_NB\) += 0")
    for line in trace.splitlines():
        match = taken.search(line)
        if match:
            descriptor, held = match[1], "exclusive" if match[2] == "EX" else "shared"
        elif descriptor and any(
                f" {call}({descriptor}<{container}>{rest}" in line for call, rest in (("close", ""), ("flock", ", LOCK_UN"))):
            descriptor, held = "", "none"
    return held


def counted(argv: list[str], folder: Path, calls: tuple[str, ...]) -> dict[str, int]:
    """How often an undisturbed command makes each of these calls, in the thread that makes most of them."""
    log = folder.with_suffix(".count")
    names = ",".join("?" + call for call in calls)
    done = execute(["strace", "-f", "-qq", "-s", "0", "-o", log, "-e", f"trace={names}", "--", *argv], folder)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"under strace it exits {done.returncode}: {done.stderr.strip()[-300:]}")
    by_thread: dict[tuple[str, str], int] = {}
    for line in log.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if match and "resumed>" not in line:
            key = (match[2], match[1])
            by_thread[key] = by_thread.get(key, 0) + 1
    log.unlink()
    most: dict[str, int] = {}
    for (call, _), count in by_thread.items():
        most[call] = max(most.get(call, 0), count)
    return most


def spread(calls: dict[str, int], offset: int, stride: Callable[[str], int], skipped: tuple[str, ...] = SKIPPED) -> list[Point]:
    """One of so many calls, by the stride of each kind, counted from an offset."""
    found: list[Point] = []
    for call, count in sorted(calls.items()):
        for number in range(1, 0 if call in skipped else count + 1):
            offset += 1
            if offset % stride(call) == 0:
                found.append(Point(call, number))
    return found
