"""Things in a file's place that are no file, and files with odd names, sizes and modes.

`write` puts the thing at the path itself; odd names are the surroundings' part.
"""

from __future__ import annotations

import os
import plistlib
import socket
from pathlib import Path

from .item import ABSENT, BAD, TAKEN, UNSAFE, Item

GOOD = plistlib.dumps({"k": "v"})


def items() -> list[Item]:
    """All of them, for a property list's place; a store there is refused likewise."""
    return [
        Item("fs/fifo", ABSENT, "must not block", lambda path: os.mkfifo(path)),
        Item("fs/folder", ABSENT, "no regular file", lambda path: path.mkdir()),
        Item("fs/socket", ABSENT, "no regular file", _socket),
        Item("fs/link-dangling", ABSENT, "leads nowhere", lambda path: path.symlink_to("nowhere")),
        Item("fs/link-dangling-outside", ABSENT | UNSAFE, "leads nowhere", lambda path: path.symlink_to("/nowhere")),
        Item("fs/link-to-itself", ABSENT, "too many links", lambda path: path.symlink_to(path.name)),
        Item("fs/link-to-zero", UNSAFE, "leads out", lambda path: path.symlink_to("/dev/zero")),
        Item("fs/link-to-memory", UNSAFE, "leads out", lambda path: path.symlink_to("/proc/self/mem")),
        Item("fs/link-to-descriptor", UNSAFE | ABSENT, "leads out", lambda path: path.symlink_to("/dev/stdin")),
        Item("fs/link-to-passwd", UNSAFE, "leads out", lambda path: path.symlink_to("/etc/passwd")),
        Item("fs/link-up-and-back", UNSAFE | TAKEN | BAD | ABSENT, "inside after all", _link_up_and_back),
        Item("fs/sparse-8-gib", BAD, "over the limit, told by its size", _sparse),
    ]


def _socket(path: Path) -> None:
    before = os.getcwd()
    end = socket.socket(socket.AF_UNIX)
    # The address holds 108 bytes, and the path may be longer.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        end.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        end.close()
        os.close(folder)
    assert os.getcwd() == before


def _link_up_and_back(path: Path) -> None:
    (path.parent / "real").write_bytes(GOOD)
    path.symlink_to(f"../{path.parent.name}/real")


def _sparse(path: Path) -> None:
    path.write_bytes(b"")
    os.truncate(path, 8 << 30)
