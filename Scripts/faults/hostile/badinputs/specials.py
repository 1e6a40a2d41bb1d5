"""Things in a file's place that are not a file, and files with odd sizes.

`write` puts the thing at the path itself; the part `surroundings` has odd names.
"""

from __future__ import annotations

import os
import plistlib
import socket
from pathlib import Path

from .item import ABSENT, BAD, TAKEN, UNSAFE, Item

GOOD = plistlib.dumps({"k": "v"})


def items() -> list[Item]:
    """All of them, in the place of a property list or of a store."""
    return [
        Item("fs/fifo", ABSENT, "must not block", os.mkfifo),
        Item("fs/folder", ABSENT, "no regular file", Path.mkdir),
        Item("fs/socket", ABSENT, "no regular file", _socket),
        Item("fs/link-dangling", ABSENT, "refers to a missing file", lambda path: path.symlink_to("nowhere")),
        Item("fs/link-dangling-outside", ABSENT | UNSAFE, "refers to a missing file", lambda path: path.symlink_to("/nowhere")),
        Item("fs/link-to-itself", ABSENT, "too many links", lambda path: path.symlink_to(path.name)),
        Item("fs/link-to-zero", UNSAFE, "leads out", lambda path: path.symlink_to("/dev/zero")),
        Item("fs/link-to-memory", UNSAFE, "leads out", lambda path: path.symlink_to("/proc/self/mem")),
        Item("fs/link-to-descriptor", UNSAFE | ABSENT, "leads out", lambda path: path.symlink_to("/dev/stdin")),
        Item("fs/link-to-passwd", UNSAFE, "leads out", lambda path: path.symlink_to("/etc/passwd")),
        Item("fs/link-up-and-back", UNSAFE | TAKEN | BAD | ABSENT, "inside after all", _link_up_and_back),
        Item("fs/sparse-8-gib", BAD, "over the limit, by its size", lambda path: (
            path.write_bytes(b""), os.truncate(path, 8 << 30))),
    ]


def _socket(path: Path) -> None:
    end = socket.socket(socket.AF_UNIX)
    # The address holds 108 bytes, and the path may be longer.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        end.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        end.close()
        os.close(folder)


def _link_up_and_back(path: Path) -> None:
    (path.parent / "real").write_bytes(GOOD)
    path.symlink_to(f"../{path.parent.name}/real")
