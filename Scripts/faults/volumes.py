"""Volumes of one process: tmpfs and read-only mounts in a private namespace that no other process sees."""

from __future__ import annotations

import ctypes
import os
import pickle
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, ContextManager, Iterator, TypeVar

from .outcome import Skipped
from .scenario import FILLER

Result = TypeVar("Result")
CLONE_NEWNS, CLONE_NEWUSER = 0x0002_0000, 0x1000_0000
#: The size of a small volume, which the sweep fills.
SIZE = 1 << 20
STEP = 4096


def in_private_namespace(body: Callable[[], Result]) -> Result:
    """Runs a body in a child process with private mounts; what it returns or throws comes back pickled."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _enter()
            message = (True, body())
        except BaseException as error:  # noqa: BLE001: all of it is the parent's to judge
            message = (False, error)
        with open(writing, "wb") as pipe:
            pickle.dump(message, pipe)
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    if not content:
        raise RuntimeError("the process with the mounts died")
    succeeded, value = pickle.loads(content)
    if not succeeded:
        raise value
    return value


def _enter() -> None:
    """A namespace for mounts; without being root, one for users as well, in which this user is root."""
    library = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if library.unshare(CLONE_NEWNS | (0 if user == 0 else CLONE_NEWUSER)) != 0:
        raise Skipped(f"a private mount namespace is not allowed here: {os.strerror(ctypes.get_errno())}")
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    tried = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True)
    if tried.returncode != 0:
        raise Skipped(f"mounting is not allowed here: {tried.stderr.strip()}")


@contextmanager
def small(folder: Path) -> Iterator[None]:
    """Puts a tmpfs of 1 MiB where a folder is, with what is in it."""
    kept = folder.with_name(folder.name + ".kept")
    kept.mkdir()
    _call("cp", "-a", f"{folder}/.", str(kept))
    _call("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(folder))
    try:
        _call("cp", "-a", f"{kept}/.", str(folder))
        _call("rm", "-rf", str(kept))
        yield
    finally:
        _call("umount", "-l", str(folder))


@contextmanager
def bound(folder: Path, target: Path, is_read_only: bool) -> Iterator[None]:
    """Mounts a folder, with all below it, at another path or at its own."""
    _call("mount", "--bind", str(folder), str(target))
    try:
        if is_read_only:
            _call("mount", "-o", "remount,ro,bind", str(target))
        yield
    finally:
        _call("umount", "-l", str(target))


def read_only(folder: Path) -> ContextManager[None]:
    """Mounts a folder, with all below it, read-only."""
    return bound(folder, folder, is_read_only=True)


def fill(folder: Path, free: int) -> None:
    """Leaves so many bytes free on the volume of a folder."""
    volume = os.statvfs(folder)
    length = volume.f_bavail * volume.f_frsize - free
    if length <= 0:
        raise RuntimeError(f"{folder} has less than {free} bytes free")
    with open(folder / FILLER, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, length)


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
