"""What a command may do, call by call.

* A command unlinks, truncates or renames over only what it made itself; allowed by their names are SQLite's journals next
  to a store that the command may write, and the temporary files of killed runs.
* The only file that it replaces is the preferences file, by a finished file with the flag in it; an older export only
  with `--replace`.
* No socket, no other process, no other program.
* It opens only the paths on the command line, TMPDIR, the system's libraries and the few below.
* A plan, and a command that only reads, writes to its scratch folder, to its output, and to 1 and 2.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from .recording import Recording, SystemCall

OPENING = {"open", "openat", "openat2", "creat"}
REMOVING = {"unlink", "unlinkat", "rmdir"}
RENAMING = {"rename", "renameat", "renameat2"}
CHANGING_BY_PATH = {
    "chmod", "fchmodat", "chown", "lchown", "fchownat", "utime", "utimes", "utimensat", "truncate", "setxattr",
    "lsetxattr", "removexattr", "lremovexattr", "mknod", "mknodat", "mount", "umount2", "pivot_root", "chroot",
}
CHANGING_BY_DESCRIPTOR = {"ftruncate", "fchmod", "fchown", "fsetxattr", "fremovexattr", "fallocate", "futimesat"}
WRITING = {"write", "writev", "pwrite64", "pwritev", "pwritev2"}
NETWORK = {
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    "recvfrom", "recvmsg",
}
STARTING = {"fork", "vfork", "execveat"}
COMPANION = re.compile(r"-(journal|wal|shm)$")
TEMPORARY = re.compile(r"/\.godwit-(tmp|out|import)-[0-9A-F]{8}(-journal|-wal|-shm)?$")
#: Where a run that takes long says how far it is, and `status` looks for that: the folder, and what is in it.
PROGRESS = re.compile(r"/godwit-progress-\d+(/[^/]+)?")
SCRATCH = re.compile(r"/godwit-scratch-\d+-[0-9A-F-]{36}$")

#: All of the system that is opened besides libraries, with what opens it.
SYSTEM = {
    "/etc/ld.so.cache": "the loader",
    "/etc/ld.so.preload": "the loader",
    "/proc/self/maps": "the Swift runtime, for the bounds of its stack",
    "/sys/devices/system/cpu/possible": "libdispatch, counting processors",
    "/sys/devices/system/cpu/online": "glibc, counting processors",
    "/proc/sys/vm/overcommit_memory": "glibc, before it gives back what a thread's heap no longer needs",
    "/dev/urandom": "SQLite, once, for names of temporary files",
    "/dev/null": "in place of a standard descriptor that was closed",
    "/etc/localtime": "glibc, for the time zone",
    "/proc/self/stat": "libdispatch, looking how its own threads fare",
}
ZONES = "/usr/share/zoneinfo/"
#: What SQLite calls the files it sorts in; they have no name any more as soon as they are open.
SORTING = re.compile(r"/etilqs_[0-9a-f]{16}$")
LIBRARY = re.compile(r"^(/lib|/lib64|/usr/lib|/usr/lib64|/usr/local/lib|/opt|/root|/home)/.*\.so(\.[0-9.]+)?$")


@dataclass
class Bounds:
    """What one command may touch."""

    #: Folders and files that its command line names: opened with all that is in them.
    named: list[str]
    #: TMPDIR: only scratch folders in it.
    temporary: str
    #: Stores that it may write in place, and whose journals SQLite may make and remove.
    writable: list[str] = field(default_factory=list)
    #: Stores that are opened as if for writing, to lock their writer out, and get no byte.
    lockable: list[str] = field(default_factory=list)
    #: Files that may be replaced by a finished file.
    replaceable: list[str] = field(default_factory=list)
    #: New files that the result goes to.
    outputs: list[str] = field(default_factory=list)
    #: Whether anything beyond outputs and scratch may be written.
    writes: bool = False


class Audit:
    """Holds a recording against the bounds; `findings` says what was wrong."""

    def __init__(self, recording: Recording, bounds: Bounds, binary: str) -> None:
        self.bounds = bounds
        self.binary = binary
        self.made: set[str] = set()
        self.findings: list[str] = []
        self.system: set[str] = set()
        self.programs = 0
        self.sizes: dict[str, int] = {}
        #: Stores whose journal was there and is rolled back.
        self.restored: set[str] = set()
        #: The process and its threads, as the system numbers them.
        self.threads = {call.process for call in recording.calls}
        self.threads |= {call.result for call in recording.calls if call.name in {"clone", "clone3"}}
        for call in recording.calls:
            self._look(call)

    def _look(self, call: SystemCall) -> None:
        if call.succeeded:
            self._measured(call)
        if call.name in NETWORK:
            self._say("a socket", call)
        elif call.name in STARTING or call.name in {"clone", "clone3"} and "CLONE_THREAD" not in call.arguments:
            self._say("another process", call)
        elif call.name == "execve":
            self.programs += call.succeeded
            if self.programs > 1:
                self._say("another program", call)
        elif not call.succeeded:
            if call.name in OPENING:
                self._opened(call, call.paths[0] if call.paths else "")
        elif call.name in OPENING:
            self._open(call)
        elif call.name in {"mkdir", "mkdirat"}:
            self._made(call, call.paths[-1])
        elif call.name in REMOVING:
            self._removed(call, call.paths[-1])
        elif call.name in RENAMING:
            self._renamed(call)
        elif call.name in {"link", "linkat", "symlink", "symlinkat"}:
            self._linked(call)
        elif call.name in CHANGING_BY_PATH and not self._is_own((call.paths or [call.descriptor[1]])[-1]):
            self._say("a file changed that it did not make", call)
        elif call.name in CHANGING_BY_DESCRIPTOR:
            self._changed(call)
        elif call.name in WRITING:
            self._written(call)

    # Opening

    def _open(self, call: SystemCall) -> None:
        path = call.opened
        flags = call.arguments
        self._opened(call, path)
        if path.endswith("-journal") and "O_RDWR" in flags and "O_CREAT" not in flags:
            self.restored.add(COMPANION.sub("", path))
        if "O_TRUNC" in flags and not self._is_own(path):
            self._say("a file truncated that it did not make", call)
        if "O_EXCL" in flags and "O_CREAT" in flags:
            self._made(call, path)
        elif re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_APPEND", flags) and not (
            self._may_write(path) or path in self.bounds.lockable and "O_CREAT" not in flags
        ):
            self._say("a file opened for writing", call)

    def _opened(self, call: SystemCall, path: str) -> None:
        if (own := re.match(r"^/proc/(\d+)/", path)) and int(own[1]) in self.threads:
            path = "/proc/self/" + path[own.end():]
        if path in SYSTEM or path.startswith(ZONES):
            self.system.add("/etc/localtime" if path.startswith(ZONES) else path)
            return
        beside_binary = os.path.dirname(path).startswith(os.path.dirname(self.binary)) and ".so" in path
        if LIBRARY.match(path) or beside_binary or path == self.binary:
            return
        if self._is_inside(path, self.bounds.named) or self._is_own(path) or path == self.bounds.temporary:
            return
        # Abandoned scratch folders of any process are checked.
        if os.path.dirname(path) == self.bounds.temporary and (SCRATCH.search(path) or SORTING.search(path)):
            return
        if self._is_progress(path):
            return
        self._say(f"a path that is not named was opened ({path})", call)

    def _is_progress(self, path: str) -> bool:
        top = self.bounds.temporary
        return path.startswith(top) and PROGRESS.fullmatch(path[len(top):]) is not None

    # Making and removing

    def _made(self, call: SystemCall, path: str) -> None:
        allowed = path in self.bounds.outputs or self._may_write(path) or TEMPORARY.search(path) and (
            self.bounds.writes and self._is_inside(path, self.bounds.named)
            or os.path.dirname(path) in map(os.path.dirname, self.bounds.outputs))
        allowed = allowed or os.path.dirname(path) == self.bounds.temporary and (
            SCRATCH.search(path) or SORTING.search(path))
        if call.name in {"mkdir", "mkdirat"} and self.bounds.writes:
            allowed = allowed or any(path in _parents(file) for file in self.bounds.writable + self.bounds.replaceable)
        if not allowed and not (self.bounds.writes and self._is_progress(path)):
            self._say("a file or folder made", call)
        self.made.add(path)

    def _removed(self, call: SystemCall, path: str) -> None:
        if self._is_own(path) or self._is_companion(path):
            self.made.discard(path)
            return
        # Temporary files, progress and scratch folders of killed runs.
        is_temporary = TEMPORARY.search(path) and (
            self.bounds.writes or os.path.dirname(path) in map(os.path.dirname, self.bounds.outputs))
        is_progress = self.bounds.writes and self._is_progress(path)
        if not (is_temporary or is_progress or any(SCRATCH.search(each) for each in (path, *_parents(path)))):
            self._say("a file removed that it did not make", call)

    def _renamed(self, call: SystemCall) -> None:
        source, target = call.paths[0], call.paths[-1]
        if self.bounds.writes and self._is_progress(source) and self._is_progress(target):
            return
        if not self._is_own(source):
            self._say("a file renamed that it did not make", call)
        if "RENAME_NOREPLACE" not in call.arguments and not (self._is_own(target) or target in self.bounds.replaceable):
            self._say("a file replaced", call)
        if not (self._may_write(target) or target in self.bounds.outputs or target in self.bounds.replaceable):
            self._say("a file put at a path that is not named", call)
        self.made.discard(source)
        self.made.add(target)

    def _linked(self, call: SystemCall) -> None:
        if not self._is_own(call.paths[0]):
            self._say("a link made", call)
        self.made.add(call.paths[-1])

    # Writing

    def _changed(self, call: SystemCall) -> None:
        _, path = call.descriptor
        if self._is_own(path) or self._is_companion(path):
            return
        # A checkpoint sets the size of a store, which must be none that cuts anything off.
        if call.name == "ftruncate" and path in self.bounds.writable and self.bounds.writes:
            size = int(call.arguments.rsplit(",", 1)[1])
            if size < self.sizes.get(path, size + 1) and path not in self.restored:
                self._say(f"a store cut off that had {self.sizes.get(path, 'unknown')} bytes", call)
            self.sizes[path] = size
            return
        self._say("a file changed that it did not make", call)

    def _measured(self, call: SystemCall) -> None:
        """Keeps the sizes of files, as far as the command itself asks for them or makes them longer."""
        _, path = call.descriptor
        if call.name == "pwrite64" and path:
            end = int(call.arguments.rsplit(",", 1)[1]) + call.result
            self.sizes[path] = max(self.sizes.get(path, 0), end)
        elif size := re.search(r"st_size=(\d+)", call.arguments):
            self.sizes[(call.paths or [path])[-1] if not path else path] = int(size[1])

    def _written(self, call: SystemCall) -> None:
        number, path = call.descriptor
        if os.path.dirname(path) == self.bounds.temporary and SORTING.search(path):
            return
        if number in (1, 2) or self._may_write(path) or path.startswith(("pipe:", "anon_inode:")):
            return
        self._say("bytes written", call)

    # Telling

    def _may_write(self, path: str) -> bool:
        if self._is_own(path) or self._is_companion(path):
            return True
        return self.bounds.writes and path in self.bounds.writable

    def _is_companion(self, path: str) -> bool:
        store = COMPANION.sub("", path)
        return store != path and (
            self.bounds.writes and store in self.bounds.writable or self._is_own(store))

    def _is_own(self, path: str) -> bool:
        return path in self.made or any(parent in self.made for parent in _parents(path))

    @staticmethod
    def _is_inside(path: str, places: list[str]) -> bool:
        return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)

    def _say(self, what: str, call: SystemCall) -> None:
        self.findings.append(f"{what}: {call}")


def _parents(path: str) -> list[str]:
    found = []
    while len(path) > 1:
        path = os.path.dirname(path)
        found.append(path)
    return found
