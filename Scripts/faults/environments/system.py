"""Limits, a working directory that is gone, no /proc, a read-only root, an odd name for the command itself."""

from __future__ import annotations

import os
import shutil
import subprocess

from ..calling import Call
from ..hostile.scene import Arrangement, Scene, setting, unchanged
from .surrounding import OK, Surrounding, Unavailable

#: The manifest and the container by relative paths.
RELATIVE = {"manifest_word": "godwit.yaml", "container_word": "container"}
EXPORT = ("export", "-q", "-o", "../out/e.json")


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_limits(), *_working(), *_called(), *_mounts()]


def _limits() -> list[Surrounding]:
    every = (("plan",), ("run",), EXPORT, ("verify",), ("status",))
    full = frozenset({74})

    def limited(name: str, setup: str, codes: frozenset[int] = OK, is_quick: bool = True) -> Surrounding:
        return Surrounding(name, setting(setup=setup), codes, commands=every, is_quick=is_quick)

    return [
        limited("48 descriptors", "ulimit -n 48"),
        limited("24 descriptors", "ulimit -n 24", full),
        limited("6 descriptors", "ulimit -n 6", full),
        limited("46 descriptors, 10 of them in use",
                "ulimit -n 46; exec 8</ 9</ ; for each in 3 4 5 6 7; do eval \"exec $each</\"; done", full),
        limited("1024 KiB of stack", "ulimit -s 1024"),
        limited("256 KiB of stack", "ulimit -s 256"),
        limited("no core dumps", "ulimit -c 0", is_quick=False),
        limited("no locked memory", "ulimit -l 0", is_quick=False),
        limited("no more processes", "ulimit -u 1"),
        limited("200 MiB of address space", "ulimit -v 204800"),
        Surrounding("files of 0 blocks", setting(setup="ulimit -f 0"), full | OK, (("plan",), ("run",), ("status",)),
                    check=_no_store),
        *(Surrounding(f"files of {blocks} blocks", setting(setup=f"ulimit -f {blocks}"), full | OK,
                      (("run",), ("copy",), EXPORT), check=_no_store) for blocks in (8, 64)),
        Surrounding("lowest priority", setting(setup="renice -n 19 $$ >/dev/null 2>&1 || true"), is_quick=False),
    ]


def _no_store(scene: Scene, done: Call) -> list[str]:
    """A store that could not be written whole must not exist."""
    if done.code == 74 and scene.cloud.exists():
        return ["the cloud store is there though it could not be written"]
    return []


def _working() -> list[Surrounding]:
    def through_link(scene: Scene) -> None:
        (scene.root / "link").symlink_to("home")
        setting(folder=scene.root / "link", **RELATIVE)(scene)

    def in_container(scene: Scene) -> None:
        setting(folder=scene.container, manifest_word="../godwit.yaml", container_word=".")(scene)

    def suffixed(suffix: str) -> Arrangement:
        return lambda scene: setattr(scene, "container_word", f"{scene.container}{suffix}")

    deleted = "d=$(mktemp -d); cd $d; rmdir $d"
    return [
        Surrounding("working directory deleted", setting(setup=deleted)),
        Surrounding("working directory deleted, relative paths", setting(setup=deleted, **RELATIVE), frozenset({66})),
        Surrounding("working directory closed and deleted", setting(setup="d=$(mktemp -d); cd $d; chmod 0 $d; rmdir $d"),
                    is_quick=False),
        Surrounding("working directory is the root", setting(folder="/")),
        Surrounding("working directory through a link", through_link),
        Surrounding("working directory is the container", in_container),
        Surrounding("container with slashes", suffixed("///")),
        Surrounding("container with dots", suffixed("/../container/./Library/..")),
    ]


def _called() -> list[Surrounding]:
    return [
        Surrounding("called by an empty name", setting(command_name="")),
        Surrounding("called by an odd name", setting(command_name="\x1b[31m-rf\n")),
        Surrounding("called by a long name", setting(command_name="x" * 5000)),
        Surrounding("called without any words", unchanged, frozenset({0, 64}), recovers=False,
                    commands=(("",), ("help",), ("--help",), ("--version",)), says=False),
    ]


def _mounts() -> list[Surrounding]:
    """Private mounts, which no other process sees."""

    def unshared(text: str) -> Arrangement:
        def make(scene: Scene) -> None:
            if os.geteuid() != 0 or not shutil.which("unshare"):
                raise Unavailable("needs root and unshare")
            tried = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
            if tried.returncode != 0:
                raise Unavailable("unshare is not allowed here")
            script = text.format(home=scene.home, container=scene.container, tmp=scene.temporary)
            scene.launcher = ["unshare", "-m", "/bin/sh", "-c", f'{script} && exec "$@"', "sh"]

        return make

    def read_only(folder: str) -> str:
        return f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}'"

    denied = frozenset({77, 0, 74, 73})
    commands = (("plan",), ("run",), ("verify",), ("status",))
    return [
        Surrounding("no /proc", unshared("mount -t tmpfs none /proc"), OK, commands),
        Surrounding("no /sys", unshared("mount -t tmpfs none /sys"), OK, commands, is_quick=False),
        Surrounding("no randomness in /dev", unshared(
            "mount --bind /dev/null /dev/urandom && mount --bind /dev/null /dev/random"), OK, commands),
        Surrounding("read-only container", unshared(read_only("{container}")), denied, commands),
        Surrounding("read-only working directory", unshared(read_only("{home}") + " && cd '{home}'"), denied, commands),
        Surrounding("TMPDIR on a tiny tmpfs", unshared("mount -t tmpfs -o size=64k none '{tmp}'"), OK | {74}, commands),
        Surrounding("TMPDIR read-only", unshared(read_only("{tmp}")), denied, commands),
    ]
