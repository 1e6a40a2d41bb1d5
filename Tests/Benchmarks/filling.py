"""Has memory that is free hold a file's pages, as on a machine that has been up for a while.

A virtual machine may give free memory back to its host. A page of it is then fetched at its first use, which costs many
times what writing to it does; how many of those a work meets depends on what ran before it, and how long. Where memory
holds pages of files, the system gives a work the oldest of these, and they are there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

#: Of all memory, what stays free: more than the system keeps free by itself, once all is in use.
FREE = 0.05
#: What is read at least, of all memory: as much, since what was free may never have been used.
LEAST = 0.05
#: How often around at most: the system makes room in large steps, also of what was just read.
ROUNDS = 2
CHUNK = 4 << 20


class Filling:
    """Reads a file without contents, which takes no room on the disk, on from where it stopped.

    The memory is asked for in bytes, by its names in proc_meminfo(5). Where there is no such thing, nothing is filled;
    where reading does not help, as in a container that gets little of it, it is not tried again.
    """

    def __init__(self, path: Path, memory: Callable[[], dict[str, int]] | None = None) -> None:
        self.memory = memory or of_the_system
        self.size = self.memory().get("MemTotal", 0)
        self.place = 0
        self.path = path
        with path.open("wb") as file:
            file.truncate(self.size)

    @property
    def is_needed(self) -> bool:
        return self.memory().get("MemFree", 0) > FREE * self.size > 0

    def fill(self) -> int:
        """How many bytes were read: until little is free, or so many times around."""
        done = 0
        with self.path.open("rb", buffering=0) as file:
            while done < LEAST * self.size or done < ROUNDS * self.size and self.is_needed:
                file.seek(self.place)
                read = len(file.read(CHUNK))
                done, self.place = done + read, (self.place + read) % self.size
        if self.is_needed:
            self.size = 0
        return done


def of_the_system() -> dict[str, int]:
    """Nothing off Linux."""
    path = Path("/proc/meminfo")
    if not path.exists():
        return {}
    lines = (line.partition(":") for line in path.read_text().splitlines())
    found = {name: rest.split() for name, _, rest in lines}
    return {name: int(words[0]) * (1024 if words[1:] == ["kB"] else 1) for name, words in found.items()}
