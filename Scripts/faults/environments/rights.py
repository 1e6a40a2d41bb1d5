"""Modes, umasks, owners: an ordinary user without rights, read-only folders, sticky and setgid ones."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

from ..calling import Call
from ..hostile.judging import DONE
from ..hostile.scene import Arrangement, Scene, setting
from .surrounding import OK, Surrounding, Unavailable

OTHER_USER = 65534
DENIED = frozenset({66, 73, 74, 77})


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_umasks(), *_folders(), *_ordinary()]


def _umasks() -> list[Surrounding]:
    def private(mask: int) -> Callable[[Scene, Call], list[str]]:
        """New files must never be more open than the umask says, nor than the app's own files next to them."""

        def check(scene: Scene, done: Call) -> list[str]:
            said = []
            if done.words[0] == "run" and done.code == 0:
                cloud, local, plist = (stat.S_IMODE(path.stat().st_mode) for path in (scene.cloud, scene.local, scene.plist))
                if cloud & ~local:
                    said.append(f"the cloud store is {cloud:o}, the local one {local:o}")
                if plist != 0o640:
                    said.append(f"the preferences became {plist:o}, they were 640")
            for path in scene.out.iterdir():
                mode = path.stat().st_mode & 0o777
                if mode & mask or mode & 0o022:
                    said.append(f"{path.name} is {mode:o} under umask {mask:o}")
            return said

        return check

    def prepared(mask: int) -> Arrangement:
        def make(scene: Scene) -> None:
            scene.setup = f"umask {mask:03o}"
            scene.plist.chmod(0o640)
            scene.local.chmod(0o600)

        return make

    commands = (("plan", "-o", "../out/plan.json"), ("run",), ("export", "-q", "-o", "../out/e.json"), ("verify",))
    return [
        Surrounding(f"umask {mask:03o}", prepared(mask), check=private(mask), commands=commands)
        for mask in (0o000, 0o022, 0o027, 0o077, 0o177)
    ] + [Surrounding("umask 777", setting(setup="umask 777"), OK | DENIED, (("plan",), ("run",), ("verify",)))]


def _folders() -> list[Surrounding]:
    def mode(bits: int) -> Arrangement:
        return lambda scene: [folder.chmod(bits) for folder in (scene.local.parent, scene.plist.parent)]

    def group_kept(scene: Scene, _: Call) -> list[str]:
        return [] if scene.local.parent.stat().st_mode & 0o2000 else ["the folder lost its setgid bit"]

    return [
        Surrounding("sticky folders", mode(0o1777)),
        Surrounding("setgid folders", mode(0o2775), check=group_kept),
        Surrounding("folders for everybody", mode(0o777)),
    ]


def _launched(scene: Scene) -> None:
    """Runs the command as an ordinary user, who may reach the folders."""
    if os.geteuid() != 0:
        raise Unavailable("not root")
    if not shutil.which("setpriv"):
        raise Unavailable("no setpriv")
    scene.launcher = ["setpriv", f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups"]
    for folder in (scene.root, scene.home, scene.temporary, scene.out, scene.root.parent):
        folder.chmod(0o755 if folder != scene.temporary else 0o1777)
    probe = subprocess.run([*scene.launcher, "test", "-x", str(scene.binary)], capture_output=True, check=False)
    if probe.returncode != 0:
        scene.binary = Path(shutil.copy(scene.binary, scene.root / "godwit"))
        scene.binary.chmod(0o755)


def _owned(scene: Scene) -> None:
    _launched(scene)
    for top, folders, files in os.walk(scene.root):
        for each in [top, *(os.path.join(top, name) for name in [*folders, *files])]:
            os.chown(each, OTHER_USER, OTHER_USER, follow_symlinks=False)


def _ordinary() -> list[Surrounding]:
    """As a user who is not root, with rights and without."""

    def back(scene: Scene) -> None:
        for path in (scene.plist, scene.local, scene.manifest):
            path.chmod(0o644)
            path.parent.chmod(0o755)
        scene.container.chmod(0o755)

    def owner_kept(scene: Scene, done: Call) -> list[str]:
        if done.code not in DONE:
            return []
        owners = {path.stat().st_uid for path in (scene.local, scene.plist, scene.cloud) if path.exists()}
        return [] if owners == {OTHER_USER} else [f"owners are {owners}"]

    def as_root(scene: Scene) -> None:
        _owned(scene)
        scene.launcher = ()

    # `history` does not read the preferences, and needs no right to write.
    commands = (("plan",), ("run",), ("verify",), ("export", "-q", "-o", "../out/e.json"), ("status",))

    def denied(name: str, make: Arrangement, codes: frozenset[int] = OK | DENIED) -> Surrounding:
        return Surrounding(name, make, codes, commands, undo=back)

    def file(field: str, bits: int) -> Arrangement:
        return lambda scene: (_owned(scene), getattr(scene, field).chmod(bits))

    def folder(field: str, bits: int) -> Arrangement:
        return lambda scene: (_owned(scene), getattr(scene, field).parent.chmod(bits))

    return [
        Surrounding("an ordinary user's own container", _owned, check=owner_kept),
        Surrounding("root in an ordinary user's container", as_root, check=owner_kept),
        denied("an ordinary user in root's container", _launched),
        denied("unreadable preferences", file("plist", 0)),
        denied("unreadable local store", file("local", 0)),
        denied("read-only local store", file("local", 0o444)),
        denied("unreadable manifest", file("manifest", 0), frozenset({77})),
        denied("read-only stores' folder", folder("local", 0o555)),
        denied("closed stores' folder", folder("local", 0)),
        denied("read-only preferences' folder", folder("plist", 0o555)),
        denied("closed container", file("container", 0), frozenset({66, 77})),
        denied("container without listing", file("container", 0o311)),
    ]
