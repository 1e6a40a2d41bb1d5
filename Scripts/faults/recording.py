"""Follows a strace recording call by call and carries it out on the model of a disk.

Each process has files of its own by the same numbers; which threads are one process is read from how they were made.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterable, Iterator

from .disk import LINK, Disk, Inode
from .tracing import joined

CALLS = (
    "open", "openat", "creat", "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate",
    "fsync", "fdatasync", "sync_file_range", "rename", "renameat", "renameat2", "unlink", "unlinkat", "link", "linkat",
    "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "lseek", "dup", "dup2", "dup3", "fcntl", "close",
    "copy_file_range", "sendfile", "ioctl", "chdir", "mmap", "clone", "clone3",
)
#: A new thread shares its files with the one that made it; a new process has its own.
THREAD = "CLONE_THREAD"
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
COMPLETE = re.compile(r"^(\w+)\((.*)\)\s+=\s+(-?\d+|0x[0-9a-f]+)(?:<(.*)>)?")


class NotModelled(Exception):
    """The command did something the model does not know; no verdict is better than a wrong one."""


def calls(log: Path) -> Iterator[tuple[str, str, int, str]]:
    """Name, arguments, result and process of each finished call, those of several threads put together again."""
    with open(log, errors="replace") as lines:
        processes = processes_of(lines)
    with open(log, errors="replace") as lines:
        for thread, done in _finished(lines):
            yield done[1], done[2], int(done[3], 0), processes.get(thread, thread)


def processes_of(lines: Iterable[str]) -> dict[str, str]:
    """The process of each thread that another thread made; the calls of a thread may come before the call that made it."""
    makers = {done[3]: thread for thread, done in _finished(lines)
              if done[1] in ("clone", "clone3") and THREAD in done[2]}
    found = {}
    for thread in makers:
        process = thread
        while process in makers:
            process = makers[process]
        found[thread] = process
    return found


def _finished(lines: Iterable[str]) -> Iterator[tuple[str, re.Match[str]]]:
    for line in joined(lines):
        match = re.match(r"^(\d+)\s+(.*)$", line)
        done = COMPLETE.match(match[2]) if match else None
        if match and done:
            yield match[1], done


class Recording:
    """The disk, and the open files of the processes whose calls are followed."""

    def __init__(self, disk: Disk, folder: str, model: str) -> None:
        self.disk, self.folder, self.model = disk, folder, model
        #: Number to [inode or None for a folder, name, position, appends]; None for files elsewhere.
        self.open: dict[int, list | None] = {}
        self._files: dict[str, dict[int, list | None]] = {}
        self.audit: list[str] = []

    def follow(self, call: str, arguments: str, result: int, process: str = "") -> str | None:
        """Carries out one call of a process; gives back what it changed, or None."""
        if result < 0 or call in ("clone", "clone3"):
            return None
        self.open = self._files.setdefault(process, {})
        strings = [bytes.fromhex(found[0].replace("\\x", "")) for found in STRING.findall(arguments)]
        paths = [os.fsdecode(text) for text in strings]
        number = re.match(r"-?\d+", arguments)
        descriptor = int(number[0]) if number else None
        if call in ("open", "openat", "creat"):
            return self._open(call, paths, arguments, result)
        if call in ("write", "writev", "pwrite64"):
            return self._write(call, b"".join(strings)[:result], arguments, descriptor, result)
        if call == "copy_file_range":
            return self._copy(arguments, descriptor, result)
        if call in ("fsync", "fdatasync"):
            return self._flush(call, descriptor)
        if call in ("ftruncate", "truncate"):
            return self._resize(call, paths, arguments, descriptor)
        if call.startswith("rename"):
            return self._rename(paths, is_exchange="RENAME_EXCHANGE" in arguments)
        if call in ("symlink", "symlinkat"):
            return self._link(paths)
        if call in ("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "link", "linkat"):
            return self._name(call, paths)
        self._bookkeep(call, paths, arguments, descriptor, result)
        return None

    def _open(self, call: str, paths: list[str], arguments: str, result: int) -> str | None:
        name = self.disk.place(paths[0], self.folder) if paths else None
        if name is None:
            self.open[result] = None
            return None
        inode, changed = self.disk.live.get(name), None
        makes = "O_CREAT" in arguments or call == "creat"
        if inode is None and makes:
            inode, changed = Inode(), f"make {name}"
            self.disk.change_names(("set", name, inode))
        if inode is None:
            self.open[result] = None
            return None
        if ("O_TRUNC" in arguments or call == "creat") and inode.content():
            inode.pending.append(("resize", 0))
            changed = f"truncate {name}"
        self.open[result] = [None if inode.is_folder else inode, name, 0, "O_APPEND" in arguments]
        return changed

    def _write(self, call: str, data: bytes, arguments: str, descriptor: int | None, result: int) -> str | None:
        file = self.open.get(descriptor)
        if not file or file[0] is None:
            return None
        if len(data) != result:
            raise NotModelled(f"{call}: the recording has {len(data)} of {result} bytes")
        inode = file[0]
        if call == "pwrite64":
            offset = int(arguments.rsplit(",", 1)[1], 0)
        else:
            offset = len(inode.content()) if file[3] else file[2]
            file[2] = offset + result
        inode.pending.append(("write", offset, data))
        return f"{call} {file[1]} {result} bytes at {offset}"

    def _copy(self, arguments: str, descriptor: int | None, result: int) -> str | None:
        """Bytes that the kernel copies from the offset of one file to the offset of another."""
        parts = arguments.split(", ")
        source, target = self.open.get(descriptor), self.open.get(int(parts[2]))
        if parts[1] != "NULL" or parts[3] != "NULL":
            raise NotModelled("copy_file_range at places of its own")
        start = source[2] if source else 0
        if source:
            source[2] += result
        if not target or target[0] is None:
            return None
        data = source[0].content()[start:start + result] if source and source[0] else b""
        if len(data) != result:
            raise NotModelled("copy_file_range from a file that is not known")
        target[0].pending.append(("write", target[2], data))
        target[2] += result
        return f"copy {result} bytes to {target[1]}"

    def _flush(self, call: str, descriptor: int | None) -> str | None:
        file = self.open.get(descriptor)
        if not file:
            return None
        if file[0] is None:
            self.disk.flush_folder(file[1])
        else:
            file[0].flush()
            if self.model == "ext4":
                self.disk.flush_names_of(file[0])
        return f"{call} {file[1]}"

    def _resize(self, call: str, paths: list[str], arguments: str, descriptor: int | None) -> str | None:
        if call == "truncate":
            name = self.disk.place(paths[0], self.folder)
            inode = self.disk.live.get(name or "")
        else:
            file = self.open.get(descriptor)
            inode, name = (file[0], file[1]) if file else (None, None)
        if inode is None:
            return None
        inode.pending.append(("resize", int(arguments.rsplit(",", 1)[1], 0)))
        return f"{call} {name}"

    def _rename(self, paths: list[str], is_exchange: bool) -> str | None:
        old, new = (self.disk.place(path, self.folder) for path in paths[:2])
        if not old and not new:
            return None
        if not old or not new:
            raise NotModelled(f"a rename across the border: {paths}")
        # What an unfinished backup holds is flushed before its folder has its name.
        is_unfinished = "/.godwit-backup-" in new
        if self.disk.live.get(old) and self.disk.live[old].pending and not is_unfinished:
            self.audit.append(f"{old} renamed to {new} with unflushed writes")
        self.disk.change_names(("exchange" if is_exchange else "move", old, new))
        return f"{'exchange' if is_exchange else 'rename'} {old} to {new}"

    def _link(self, paths: list[str]) -> str | None:
        name = self.disk.place(paths[1], self.folder)
        if not name:
            return None
        self.disk.change_names(("set", name, Inode(LINK + os.fsencode(paths[0]))))
        return f"make the link {name}"

    def _name(self, call: str, paths: list[str]) -> str | None:
        name = self.disk.place(paths[0], self.folder)
        if call in ("link", "linkat"):
            new = self.disk.place(paths[1], self.folder)
            if not name or not new:
                return None
            self.disk.change_names(("set", new, self.disk.live[name]))
            return f"link {name} as {new}"
        if not name:
            return None
        made = call in ("mkdir", "mkdirat")
        self.disk.change_names(("set", name, Inode(is_folder=True)) if made else ("remove", name))
        return f"{call} {name}"

    def _bookkeep(self, call: str, paths: list[str], arguments: str, descriptor: int | None, result: int) -> None:
        file = self.open.get(descriptor)
        if call == "close":
            self.open.pop(descriptor, None)
        elif call in ("dup", "dup2", "dup3") or call == "fcntl" and "F_DUPFD" in arguments:
            self.open[result] = file
        elif call == "chdir":
            self.folder = os.path.join(self.folder, paths[0])
        elif call == "lseek" and file:
            file[2] = result
        elif call == "mmap" and "MAP_SHARED" in arguments and "PROT_WRITE" in arguments:
            mapped = re.search(r", (\d+), (0x[0-9a-f]+|0)$", arguments)
            file = self.open.get(int(mapped[1])) if mapped else None
            if file and not file[1].endswith("-shm"):
                raise NotModelled(f"{file[1]} is written through mapped memory")
        elif call in ("sendfile", "pwritev", "pwritev2") or (call == "ioctl" and "FICLONE" in arguments):
            if self.open.get(descriptor) or self.disk.place(paths[-1] if paths else "", self.folder):
                raise NotModelled(f"{call} on a file of the container")
