"""Limits, a working directory that is gone, no /proc, a read-only root, an odd name for the command itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from ..calling import Call
from .surrounding import OK, Place, Surrounding, Unavailable


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_limits(), *_working(), *_called(), *_mounts()]


def setup(text: str) -> Callable[[Place], None]:
    """A surrounding made by shell text."""

    def make(place: Place) -> None:
        place.setup = text

    return make


def _limits() -> list[Surrounding]:
    every = (("plan",), ("run",), ("export", "-q", "-o", "../out/e.json"), ("verify",), ("status",))
    full = frozenset({74})
    return [
        Surrounding("48 descriptors", setup("ulimit -n 48"), commands=every),
        Surrounding("24 descriptors", setup("ulimit -n 24"), full, commands=every),
        Surrounding("6 descriptors", setup("ulimit -n 6"), full, commands=every),
        Surrounding("46 descriptors, 10 of them in use", setup(
            "ulimit -n 46; exec 8</ 9</ ; for each in 3 4 5 6 7; do eval \"exec $each</\"; done"), full, commands=every),
        Surrounding("1024 KiB of stack", setup("ulimit -s 1024"), commands=every),
        Surrounding("256 KiB of stack", setup("ulimit -s 256"), commands=every),
        Surrounding("no core dumps", setup("ulimit -c 0"), commands=every, is_quick=False),
        Surrounding("no locked memory", setup("ulimit -l 0"), commands=every, is_quick=False),
        Surrounding("no more processes", setup("ulimit -u 1"), commands=every),
        Surrounding("200 MiB of address space", setup("ulimit -v 204800"), commands=every),
        Surrounding("files of 0 blocks", setup("ulimit -f 0"), full | OK, commands=(("plan",), ("run",), ("status",)),
                    check=_no_store),
        Surrounding("files of 8 blocks", setup("ulimit -f 8"), full | OK,
                    commands=(("run",), ("copy",), ("export", "-q", "-o", "../out/e.json")), check=_no_store),
        Surrounding("files of 64 blocks", setup("ulimit -f 64"), full | OK,
                    commands=(("run",), ("copy",), ("export", "-q", "-o", "../out/e.json")), check=_no_store),
        Surrounding("lowest priority", setup("renice -n 19 $$ >/dev/null 2>&1 || true"), is_quick=False),
    ]


def _no_store(place: Place, done: Call) -> list[str]:
    """What could not be written whole is not there."""
    if done.code == 74 and place.cloud.exists():
        return ["the cloud store is there though it could not be written"]
    return []


def _working() -> list[Surrounding]:
    def deleted(place: Place) -> None:
        place.setup = "d=$(mktemp -d); cd $d; rmdir $d"

    def deleted_relative(place: Place) -> None:
        deleted(place)
        place.manifest_word, place.container_word = "godwit.yaml", "container"

    def unreadable(place: Place) -> None:
        place.setup = "d=$(mktemp -d); cd $d; chmod 0 $d; rmdir $d"

    def root(place: Place) -> None:
        place.folder = "/"

    def through_link(place: Place) -> None:
        (place.root / "link").symlink_to("home")
        place.folder = place.root / "link"
        place.manifest_word, place.container_word = "godwit.yaml", "container"

    def in_container(place: Place) -> None:
        place.folder = place.container
        place.manifest_word, place.container_word = "../godwit.yaml", "."

    return [
        Surrounding("working directory deleted", deleted),
        Surrounding("working directory deleted, relative paths", deleted_relative, frozenset({66})),
        Surrounding("working directory closed and deleted", unreadable, is_quick=False),
        Surrounding("working directory is the root", root),
        Surrounding("working directory through a link", through_link),
        Surrounding("working directory is the container", in_container),
        Surrounding("container with slashes", lambda place: setattr(place, "container_word", f"{place.container}///")),
        Surrounding("container with dots", lambda place: setattr(
            place, "container_word", f"{place.container}/../container/./Library/..")),
    ]


def _called() -> list[Surrounding]:
    def named(name: str) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            place.command_name = name

        return make

    return [
        Surrounding("called by an empty name", named("")),
        Surrounding("called by an odd name", named("\x1b[31m-rf\n")),
        Surrounding("called by a long name", named("x" * 5000)),
        Surrounding("called without any words", lambda place: None, frozenset({0, 64}), recovers=False,
                    commands=(("",), ("help",), ("--help",), ("--version",)), says=False),
    ]


def _mounts() -> list[Surrounding]:
    """Mounts of our own, seen by nobody else."""

    def unshared(text: str) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            if os.geteuid() != 0 or not shutil.which("unshare"):
                raise Unavailable("needs root and unshare")
            tried = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
            if tried.returncode != 0:
                raise Unavailable("unshare is not allowed here")
            script = text.format(home=place.home, container=place.container, tmp=place.temporary)
            place.launcher = ["unshare", "-m", "/bin/sh", "-c", f'{script} && exec "$@"', "sh"]

        return make

    read_only = frozenset({77, 0, 74, 73})
    commands = (("plan",), ("run",), ("verify",), ("status",))
    return [
        Surrounding("no /proc", unshared("mount -t tmpfs none /proc"), commands=commands),
        Surrounding("no /sys", unshared("mount -t tmpfs none /sys"), commands=commands, is_quick=False),
        Surrounding("no randomness in /dev", unshared(
            "mount --bind /dev/null /dev/urandom && mount --bind /dev/null /dev/random"), commands=commands),
        Surrounding("read-only container", unshared(
            "mount --bind '{container}' '{container}' && mount -o remount,bind,ro '{container}'"), read_only,
                    commands=commands),
        Surrounding("read-only working directory", unshared(
            "mount --bind '{home}' '{home}' && mount -o remount,bind,ro '{home}' && cd '{home}'"), read_only,
                    commands=commands),
        Surrounding("TMPDIR on a tiny tmpfs", unshared("mount -t tmpfs -o size=64k none '{tmp}'"), OK | {74},
                    commands=commands),
        Surrounding("TMPDIR read-only", unshared(
            "mount --bind '{tmp}' '{tmp}' && mount -o remount,bind,ro '{tmp}'"), read_only, commands=commands),
    ]
