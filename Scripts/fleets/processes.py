"""Finds processes by their environment: those of one cluster, and of one task of it, with their children. Never by name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def variables(content: bytes) -> dict[bytes, bytes]:
    """What `/proc/PID/environ` says."""
    return dict(part.split(b"=", 1) for part in content.split(b"\0") if b"=" in part)


def parent(content: bytes) -> int | None:
    """What `/proc/PID/stat` says; None for a zombie. The name before it may have spaces and brackets."""
    state, number = content[content.rindex(b")") + 1:].split()[:2]
    return None if state == b"Z" else int(number)


def with_children(found: set[int], parents: dict[int, int]) -> set[int]:
    """These and all that come from them, in any environment."""
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found = found | more
    return found


def having(wanted: dict[str, str]) -> list[int]:
    """Processes whose environment has all of these, and their children; zombies and this process left out."""
    asked = {name.encode(): os.fsencode(value) for name, value in wanted.items()}
    found, parents = set(), {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            above = parent((entry / "stat").read_bytes())
            there = variables((entry / "environ").read_bytes())
        except OSError:
            continue
        if above is None:
            continue
        parents[int(entry.name)] = above
        if all(there.get(name) == value for name, value in asked.items()):
            found.add(int(entry.name))
    return sorted(with_children(found, parents))


def end(wanted: dict[str, str], with_signal: signal.Signals, seconds: float) -> int:
    """Sends a signal to all of them until none is left, new ones included; gives back how many there were."""
    ended: set[int] = set()
    limit = time.monotonic() + seconds
    while (found := having(wanted)) and time.monotonic() < limit:
        for process in found:
            # A polite signal is sent once; what is born between the look and a kill is found the next time.
            if process in ended and with_signal != signal.SIGKILL:
                continue
            try:
                os.kill(process, with_signal)
                ended.add(process)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
    return len(ended)
