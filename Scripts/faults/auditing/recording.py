"""Recordings of strace: lines put together, strings decoded, paths made absolute."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tracing import joined

#: What is recorded: everything that names a path, changes a file, makes a process or a socket.
TRACED = (
    "trace=%file,%process,%network,ftruncate,write,writev,pwrite64,pwritev,pwritev2,fchmod,fchown,copy_file_range,"
    "sendfile,fallocate,fsetxattr,fremovexattr,futimesat")

LINE = re.compile(r"^(\d+)\s+(.*)$")
CALL = re.compile(r"^([a-z_0-9]+)\((.*)\)\s+=\s+(\?|-?\d+|0x[0-9a-f]+)(.*)$", re.DOTALL)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?')
DESCRIPTOR = re.compile(r"(AT_FDCWD|-?\d+)<((?:[^>\\]|\\.)*)>")


@dataclass(frozen=True)
class SystemCall:
    """One call that has returned."""

    process: int
    name: str
    arguments: str
    result: int
    #: What the result's descriptor leads to, as strace shows it.
    remark: str
    folder: str

    @property
    def succeeded(self) -> bool:
        return self.result >= 0

    @property
    def paths(self) -> list[str]:
        """The paths among the arguments, absolute; of a call on a descriptor, what that one leads to."""
        found = []
        base: str | None = None
        position = 0
        while position < len(self.arguments):
            descriptor = DESCRIPTOR.match(self.arguments, position)
            string = STRING.match(self.arguments, position)
            if descriptor and (position == 0 or self.arguments[position - 1] in " ,("):
                base = decoded(descriptor[2])
                position = descriptor.end()
            elif string:
                found.append(os.path.normpath(os.path.join(base or self.folder, decoded(string[1]))))
                base = None
                position = string.end()
            else:
                position += 1
        return found

    @property
    def descriptor(self) -> tuple[int, str]:
        """The first argument of a call on a descriptor: its number and what it leads to."""
        match = DESCRIPTOR.match(self.arguments)
        if not match or match[1] == "AT_FDCWD":
            return -1, ""
        return int(match[1]), decoded(match[2])

    @property
    def opened(self) -> str:
        """What an opened descriptor leads to, links resolved."""
        match = re.match(r"<((?:[^>\\]|\\.)*)>", self.remark)
        return decoded(match[1]) if match else (self.paths or [""])[0]

    def __str__(self) -> str:
        return f"{self.name}({self.arguments[:200]}) = {self.result}{self.remark[:60]}"


def decoded(text: str) -> str:
    """A string as strace shows it, without its escapes."""
    return os.fsdecode(codecs.escape_decode(text.encode())[0])


@dataclass
class Recording:
    """The calls of one command and of all its threads, in the order in which they returned."""

    folder: str
    calls: list[SystemCall] = field(default_factory=list)

    @staticmethod
    def read(text: str, folder: str) -> "Recording":
        return Recording(os.path.realpath(folder), list(_calls(text, os.path.realpath(folder))))


def _calls(text: str, folder: str) -> Iterator[SystemCall]:
    for line in joined(text.splitlines()):
        match = LINE.match(line)
        call = CALL.match(match[2]) if match else None
        if call and call[3] != "?":
            yield SystemCall(int(match[1]), call[1], call[2], int(call[3], 0), call[4].strip(), folder)
