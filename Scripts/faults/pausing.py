"""Stops a command at the N-th call of one kind, so that something else can happen there, and lets it go on.

With it every interleaving of a run and somebody else is tried on purpose that otherwise takes luck. A stop comes when
the call has run: before the first call of all is a state that needs no stop.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from .scenario import environment
from .tracing import LINE, Ending, Point

STOPPED = re.compile(r"^(\d+) +--- stopped by SIGSTOP", re.MULTILINE)
#: Calls that change nothing and yet lie between two decisions: asking for a lock, looking, reading, opening.
LOOKING = ("fcntl", "pread64", "read", "newfstatat", "fstat", "openat", "close", "flock", "readlink", "getdents64")


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
        self.strace = subprocess.Popen(
            ["strace", "-f", "-qq", "-y", "-s", "0", "-o", str(self.log), "-e", "signal=SIGSTOP",
             "-e", f"trace={calls}", "-e", rule, "--", *self.argv],
            cwd=self.folder, env=environment(self.folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace")
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
        """Lets it go on; nothing where it goes on already or has ended."""
        self.tell(signal.SIGCONT)

    def kill(self) -> None:
        """As `kill -9` does, while it is stopped."""
        self.tell(signal.SIGKILL)

    def tell(self, number: signal.Signals) -> None:
        # strace ends a moment after the command: in between there is nobody to tell.
        if self.pid and self.strace.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def end(self) -> Ending:
        """Waits for the command's own end; its status is None where it hangs."""
        while True:
            try:
                stdout, stderr = self.strace.communicate(timeout=1)
                return Ending(self.strace.returncode, stdout, stderr, self.stopped)
            except subprocess.TimeoutExpired:
                if time.monotonic() > self.deadline:
                    return Ending(None, "", "", self.stopped)
                # One that came while the stop was still being told may be lost.
                self.go_on()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self.strace.poll() is None:
            self.kill()
            self.strace.kill()
            self.strace.communicate()
        self.log.unlink(missing_ok=True)


def container_lock(trace: str, container: Path) -> str:
    """What a stopped command has of the container's lock: `exclusive`, `shared` or `none`, not yet or not any more."""
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
    """How often a command, undisturbed, makes each of these calls; by the thread that makes most of them."""
    log = folder.with_suffix(".count")
    names = ",".join("?" + call for call in calls)
    done = subprocess.run(
        ["strace", "-f", "-qq", "-s", "0", "-o", str(log), "-e", f"trace={names}", "--", *argv], cwd=folder,
        env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60)
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
