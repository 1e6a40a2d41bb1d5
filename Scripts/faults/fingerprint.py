"""Fingerprints of a folder, which show any change: names, kinds, modes, sizes, times and bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

#: What of a large, mostly sparse file is read.
PART = 1 << 20


def fingerprint(folder: Path, times: bool = True) -> dict[bytes, tuple]:
    """Everything below a folder by its path in it; links are not followed."""
    found: dict[bytes, tuple] = {}
    top = os.fsencode(folder)
    pending = [top]
    while pending:
        here = pending.pop()
        for entry in os.scandir(here):
            name = entry.path[len(top) + 1:]
            status = entry.stat(follow_symlinks=False)
            mark: tuple = (stat.filemode(status.st_mode), status.st_uid, status.st_gid)
            if stat.S_ISREG(status.st_mode):
                mark += (status.st_size, status.st_mtime_ns if times else 0, _digest(entry.path, status.st_size))
            elif stat.S_ISLNK(status.st_mode):
                mark += (os.readlink(entry.path),)
            elif stat.S_ISDIR(status.st_mode):
                mark += (status.st_mtime_ns if times else 0,)
                pending.append(entry.path)
            found[name] = mark
    return found


def differences(before: dict[bytes, tuple], after: dict[bytes, tuple], ignores_dates: bool = False) -> list[str]:
    """What is new, gone or changed, in words; what only has another date may be skipped.

    A transaction that is rolled back writes the very bytes again that were there.
    """
    said = []
    for name in sorted({*before, *after}):
        shown = name.decode(errors="backslashreplace")
        if name not in after:
            said.append(f"{shown} is gone")
        elif name not in before:
            said.append(f"{shown} is new")
        elif before[name] != after[name]:
            if ignores_dates and _undated(before[name]) == _undated(after[name]):
                continue
            said.append(f"{shown} changed: {before[name]} -> {after[name]}")
    return said


def _undated(mark: tuple) -> tuple:
    return mark[:3] if mark[0].startswith("d") else mark[:4] + mark[5:]


def _digest(path: bytes, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read(PART if size > 256 << 20 else -1)).hexdigest()
