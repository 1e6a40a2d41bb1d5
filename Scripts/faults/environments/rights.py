"""Modes, umasks, owners: an ordinary user without rights, read-only folders, sticky and setgid ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from ..calling import Call
from ..hostile.judging import DONE
from .surrounding import OK, Place, Surrounding, Unavailable, modes

NOBODY = 65534
DENIED = frozenset({66, 73, 74, 77})


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_umasks(), *_folders(), *_ordinary()]


def _umasks() -> list[Surrounding]:
    def masked(mask: str) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            place.setup = f"umask {mask}"

        return make

    def private(mask: int) -> Callable[[Place, Call], list[str]]:
        """New files are never more open than the umask asks, nor than the app's own beside them."""

        def check(place: Place, done: Call) -> list[str]:
            said = []
            found = modes(place)
            if done.words[0] == "run" and done.code == 0:
                if found["cloud"] & ~found["local"]:
                    said.append(f"the cloud store is {found['cloud']:o}, the local one {found['local']:o}")
                if found["plist"] != 0o640:
                    said.append(f"the preferences became {found['plist']:o}, they were 640")
            for path in place.out.iterdir():
                mode = path.stat().st_mode & 0o777
                if mode & mask or mode & 0o022:
                    said.append(f"{path.name} is {mode:o} under umask {mask:o}")
            return said

        return check

    commands = (("plan", "-o", "../out/plan.json"), ("run",), ("export", "-q", "-o", "../out/e.json"), ("verify",))

    def prepared(mask: str) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            masked(mask)(place)
            place.plist.chmod(0o640)
            place.local.chmod(0o600)

        return make

    return [
        Surrounding(f"umask {mask:03o}", prepared(f"{mask:03o}"), check=private(mask), commands=commands)
        for mask in (0o000, 0o022, 0o027, 0o077, 0o177)
    ] + [Surrounding("umask 777", masked("777"), OK | DENIED, commands=(("plan",), ("run",), ("verify",)))]


def _folders() -> list[Surrounding]:
    def mode(bits: int) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            for folder in (place.local.parent, place.plist.parent):
                folder.chmod(bits)

        return make

    def group_kept(place: Place, done: Call) -> list[str]:
        return [] if place.local.parent.stat().st_mode & 0o2000 else ["the folder lost its setgid bit"]

    return [
        Surrounding("sticky folders", mode(0o1777)),
        Surrounding("setgid folders", mode(0o2775), check=group_kept),
        Surrounding("folders for everybody", mode(0o777)),
    ]


def _ordinary() -> list[Surrounding]:
    """As a user who is not root, with rights and without."""

    def launcher(place: Place) -> None:
        if os.geteuid() != 0:
            raise Unavailable("not root")
        if not shutil.which("setpriv"):
            raise Unavailable("no setpriv")
        place.launcher = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        for folder in (place.root, place.home, place.temporary, place.out, place.root.parent):
            folder.chmod(0o755 if folder != place.temporary else 0o1777)
        probe = subprocess.run(
            [*place.launcher, "test", "-x", str(place.binary)], capture_output=True, check=False)
        if probe.returncode != 0:
            place.binary = _reachable(place)

    def owned(place: Place) -> None:
        launcher(place)
        for top, folders, files in os.walk(place.root):
            for each in [top, *(os.path.join(top, name) for name in [*folders, *files])]:
                os.chown(each, NOBODY, NOBODY, follow_symlinks=False)

    def with_modes(change: Callable[[Place], None]) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            owned(place)
            change(place)

        return make

    def chmod(name: str, bits: int) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            getattr(place, name).chmod(bits)

        return with_modes(make)

    def folder(name: str, bits: int) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            getattr(place, name).parent.chmod(bits)

        return with_modes(make)

    def back(place: Place) -> None:
        for path in (place.plist, place.local, place.manifest):
            path.chmod(0o644)
            path.parent.chmod(0o755)
        place.container.chmod(0o755)

    def owner_kept(place: Place, done: Call) -> list[str]:
        if done.code not in DONE:
            return []
        owners = {path.stat().st_uid for path in (place.local, place.plist, place.cloud) if path.exists()}
        return [] if owners == {NOBODY} else [f"owners are {owners}"]

    def as_root_for_nobody(place: Place) -> None:
        owned(place)
        place.launcher = ()

    answers = OK | DENIED
    # `history` reads neither preferences nor asks for rights to write.
    commands = (("plan",), ("run",), ("verify",), ("export", "-q", "-o", "../out/e.json"), ("status",))
    return [
        Surrounding("an ordinary user's own container", owned, check=owner_kept),
        Surrounding("root in an ordinary user's container", as_root_for_nobody, check=owner_kept),
        Surrounding("an ordinary user in root's container", launcher, answers, commands=commands, undo=back),
        Surrounding("unreadable preferences", chmod("plist", 0), answers, commands=commands, undo=back),
        Surrounding("unreadable local store", chmod("local", 0), answers, commands=commands, undo=back),
        Surrounding("read-only local store", chmod("local", 0o444), answers, commands=commands, undo=back),
        Surrounding("unreadable manifest", chmod("manifest", 0), frozenset({77}), commands=commands, undo=back),
        Surrounding("read-only stores' folder", folder("local", 0o555), answers, commands=commands, undo=back),
        Surrounding("closed stores' folder", folder("local", 0), answers, commands=commands, undo=back),
        Surrounding("read-only preferences' folder", folder("plist", 0o555), answers, commands=commands, undo=back),
        Surrounding("closed container", chmod("container", 0), frozenset({66, 77}), commands=commands, undo=back),
        Surrounding("container without listing", chmod("container", 0o311), answers, commands=commands, undo=back),
    ]


def _reachable(place: Place):
    """A copy of the command where everybody can reach it."""
    copied = place.root / "godwit"
    shutil.copy(place.binary, copied)
    copied.chmod(0o755)
    return copied
