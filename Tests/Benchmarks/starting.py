"""What a process does before it works: what the loader says of itself, and what the system is asked for."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

STATISTICS = {
    "cycles": r"total startup time in dynamic loader: (\d+)",
    "relocating": r"time needed for relocation: (\d+)",
    "loading": r"time needed to load objects: (\d+)",
    "by name": r"number of relocations: (\d+)",
    "relative": r"number of relative relocations: (\d+)",
}
#: Calls that give bytes of a file, with its path as `strace -y` shows it.
READS = re.compile(r"^p?read(?:v|64)?\(\d+<(/[^>]*)>.*\) = (\d+)$")
MAPS = re.compile(r"^mmap\(.*, \d+<(/[^>]*)>, .*\) = 0x")
OPENS = re.compile(r"^openat\(.*\) = \d+<(/[^>]*)>$")


@dataclass
class Asked:
    """Of one process, all its threads together."""

    calls: int = 0
    opened: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    mapped: set[str] = field(default_factory=set)


def loader(command: str) -> dict[str, int]:
    """What glibc's loader counts up to `main`: <https://man7.org/linux/man-pages/man8/ld.so.8.html>, LD_DEBUG."""
    # Not by a shell, which would tell of itself.
    said = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False,
                          env={**os.environ, "LD_DEBUG": "statistics"}).stderr
    return statistics(said)


def statistics(said: str) -> dict[str, int]:
    """Nothing of what another loader than glibc's says."""
    found = {name: re.search(pattern, said) for name, pattern in STATISTICS.items()}
    return {name: int(match[1]) for name, match in found.items() if match}


def asked(command: str, scratch: Path) -> Asked | None:
    """What strace sees; nothing where there is none, or it may not look."""
    if not shutil.which("strace"):
        return None
    # A file for each thread, or calls that wait would be written in two halves.
    folder = scratch / "strace"
    folder.mkdir()
    done = subprocess.run(["bash", "-c", f"exec strace -ff -y -s 0 -o {folder}/calls {command}"], capture_output=True,
                          check=False)
    lines = [line for file in sorted(folder.iterdir()) for line in file.read_text(errors="replace").splitlines()]
    shutil.rmtree(folder)
    return parsed(lines) if done.returncode == 0 else None


def parsed(lines: list[str]) -> Asked:
    found = Asked()
    for line in lines:
        # `+++ exited` and `--- SIGCHLD` are no calls.
        found.calls += not line.startswith(("+++", "---"))
        if match := OPENS.match(line):
            found.opened[match[1]] += 1
        elif match := READS.match(line):
            found.read[match[1]] += int(match[2])
        elif match := MAPS.match(line):
            found.mapped.add(match[1])
    return found
