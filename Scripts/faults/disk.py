"""A model of a disk: what a power cut at any moment could leave of the files a command has written.

* Data that no fsync of that very file has covered may be lost, kept, or torn at a 512-byte sector, in any combination.
* Names (made, renamed, removed) that no fsync of that very folder has covered may be lost; those kept are kept in order,
  as a journal of metadata keeps them. Model `ext4`: the fsync of a file also makes its own pending names durable.
* Mapped `-shm` files are never durable.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator

#: What a file holds after a cut; None is a folder, and what begins so is a symbolic link.
Files = dict[str, bytes | None]
LINK = b"\0symbolic link to "


def held(path: str | Path) -> bytes:
    """What a file holds, or where a symbolic link says that it leads."""
    return LINK + os.fsencode(os.readlink(path)) if os.path.islink(path) else Path(path).read_bytes()


@dataclass(eq=False)
class Inode:
    """One file or folder: what is durable, and what was written since."""

    durable: bytes = b""
    pending: list[tuple] = field(default_factory=list)
    is_folder: bool = False

    def content(self) -> bytes:
        return apply_writes(self.durable, self.pending)

    def flush(self) -> None:
        self.durable, self.pending = self.content(), []


def apply_writes(durable: bytes, writes: list[tuple]) -> bytes:
    """Bytes after writes: `("write", offset, data)` and `("resize", length)`."""
    content = bytearray(durable)
    for write in writes:
        if write[0] == "resize":
            del content[write[1]:]
            content += bytes(write[1] - len(content))
        else:
            _, offset, data = write
            content += bytes(max(0, offset - len(content)))
            content[offset:offset + len(data)] = data
    return bytes(content)


class Disk:
    """Durable names, and the name changes still pending, below some folders of a root."""

    def __init__(self, root: Path, folders: tuple[str, ...]) -> None:
        self.root, self.folders = os.path.realpath(root), folders
        self.names: dict[str, Inode] = {}
        self.pending: list[tuple] = []
        for folder in folders:
            self.names[folder] = Inode(is_folder=True)
            for above, inner, files in os.walk(Path(self.root) / folder):
                for name in inner:
                    self.names[self._relative(os.path.join(above, name))] = Inode(is_folder=True)
                for name in files:
                    path = os.path.join(above, name)
                    if os.path.isfile(path) or os.path.islink(path):
                        self.names[self._relative(path)] = Inode(held(path))
        self.live = dict(self.names)

    def _relative(self, path: str) -> str:
        return os.path.relpath(path, self.root)

    def place(self, path: str, folder: str) -> str | None:
        """A path as the command wrote it, as a name of this disk; None if it is elsewhere."""
        absolute = os.path.normpath(os.path.join(folder, path))
        if not absolute.startswith(self.root + os.sep):
            return None
        name = self._relative(absolute)
        return name if name.split(os.sep)[0] in self.folders else None

    def change_names(self, change: tuple) -> None:
        self.pending.append(change)
        apply_change(self.live, change)

    def flush_folder(self, folder: str) -> None:
        kept = []
        for change in self.pending:
            touched = [os.path.dirname(part) for part in change[1:] if isinstance(part, str)]
            if folder in touched:
                apply_change(self.names, change)
            else:
                kept.append(change)
        self.pending = kept

    def flush_names_of(self, inode: Inode) -> None:
        """What a journal commits with a file's fsync: its own names and those before."""
        last = max((at for at, change in enumerate(self.pending) if inode in change), default=-1)
        for change in self.pending[:last + 1]:
            apply_change(self.names, change)
        self.pending = self.pending[last + 1:]

    def states(self, choice: random.Random, count: int) -> Iterator[tuple[str, Files]]:
        """The states a cut now could leave: five plain ones, and some mixed at random."""
        yield "nothing pending survives", self._build(0, lambda inode: [])
        inodes = [*self.names.values(), *self.live.values()]
        if not self.pending and not any(inode.pending for inode in inodes):
            return
        everything = len(self.pending)
        yield "names survive, data lost", self._build(everything, lambda inode: [])
        yield "sizes survive, data zero", self._build(everything, lambda inode: [_zeroed(w) for w in inode.pending])
        yield "data survives, names lost", self._build(0, lambda inode: inode.pending)
        yield "everything survives", self._build(everything, lambda inode: inode.pending)
        for number in range(count):
            yield f"mixed {number}", self._build(
                choice.randint(0, everything), lambda inode: _survivors(inode.pending, choice))

    def _build(self, changes: int, surviving: Callable[[Inode], list[tuple]]) -> Files:
        names = dict(self.names)
        for change in self.pending[:changes]:
            apply_change(names, change)
        return {name: None if inode.is_folder else apply_writes(inode.durable, surviving(inode))
                for name, inode in names.items() if not name.endswith("-shm")}

    def never_flushed(self) -> list[str]:
        """What is still not durable; when a command says it is done, that is a promise broken."""
        found = [f"{name}: {len(inode.pending)} writes never flushed"
                 for name, inode in sorted(self.live.items()) if inode.pending and not name.endswith("-shm")]
        return found + [f"a name never flushed: {' '.join(p for p in change if isinstance(p, str))}"
                        for change in self.pending]

    def differs_from_reality(self) -> list[str]:
        """Where the model's files are not those really there: then the model is wrong, and so is all it says."""
        real = {}
        for folder in self.folders:
            for above, _, files in os.walk(Path(self.root) / folder):
                for name in files:
                    path = os.path.join(above, name)
                    real[self._relative(path)] = held(path)
        mine = {name: inode.content() for name, inode in self.live.items() if not inode.is_folder}
        return [name for name in sorted(real.keys() | mine.keys())
                if not name.endswith("-shm") and real.get(name) != mine.get(name)]


def apply_change(names: dict[str, Inode], change: tuple) -> None:
    """Name changes: `("set", name, inode)`, `("remove", name)`, `("move", old, new)`, `("exchange", one, other)`."""
    if change[0] == "set":
        names[change[1]] = change[2]
    elif change[0] == "remove":
        names.pop(change[1], None)
    elif change[0] == "exchange":
        if change[1] in names and change[2] in names:
            names[change[1]], names[change[2]] = names[change[2]], names[change[1]]
    elif change[1] in names:
        old, new = change[1], change[2]
        for name in [name for name in names if name.startswith(old + os.sep)]:
            names[new + name[len(old):]] = names.pop(name)
        names[new] = names.pop(old)


def _zeroed(write: tuple) -> tuple:
    return write if write[0] == "resize" else (write[0], write[1], bytes(len(write[2])))


def _survivors(writes: list[tuple], choice: random.Random) -> list[tuple]:
    """Some of the writes; long ones may end at a sector."""
    found = []
    for write in writes:
        luck = choice.random()
        if write[0] == "resize":
            found += [write] if luck < 0.7 else []
        elif luck < 0.5:
            found.append(write)
        elif luck < 0.65 and len(write[2]) > 512:
            kept = 512 * choice.randrange(1, (len(write[2]) + 511) // 512)
            found.append((write[0], write[1], write[2][:kept]))
    return found
