"""Variables that are missing, odd, huge or not UTF-8; locales; TMPDIR of every kind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..calling import Call
from ..hostile.scene import Arrangement, Scene, setting
from .surrounding import OK, Surrounding, Unavailable

REFUSED = frozenset({66, 73, 74, 77})


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_variables(), *_temporary()]


def _variables() -> list[Surrounding]:
    def odd(name: str, **variables: str) -> Surrounding:
        return Surrounding(name, setting(variables=variables))

    return [
        Surrounding("no HOME", setting(removed_variables=("HOME",))),
        odd("HOME missing folder", HOME="/nowhere/at/all"),
        odd("HOME odd", HOME="\x1b[31m\n"),
        Surrounding("no variables at all", setting(setup="unset $(env | cut -d= -f1 | grep -E '^[A-Za-z_]+$')")),
        odd("huge environment", **{f"GODWIT_TEST_{number}": "x" * 100_000 for number in range(8)}),
        odd("LC_ALL=tr_TR.UTF-8", LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8"),
        odd("LANG=C", LC_ALL="C", LANG="C"),
        odd("LC_ALL unknown", LC_ALL="xx_YY.nothing"),
        odd("LC_ALL an attack", LC_ALL="../../../../etc/passwd"),
        odd("TZ Kathmandu", TZ="Asia/Kathmandu"),
        odd("TZ odd", TZ="EVIL+99:99:99"),
        odd("TZ a path", TZ=":/etc/passwd"),
        odd("TERM and COLUMNS odd", TERM="\x1b[31m", COLUMNS="-5", LINES="9" * 40),
        odd("NO_COLOR empty", NO_COLOR=""),
        odd("GODWIT_MANIFEST empty", GODWIT_MANIFEST="", GODWIT_CONTAINER=""),
        odd("SQLITE_TMPDIR odd", SQLITE_TMPDIR="/nowhere", SQLITE_HISTORY="/etc/passwd"),
        odd("MALLOC_PERTURB_", MALLOC_PERTURB_="165"),
    ]


def _temporary() -> list[Surrounding]:
    def at(choose: Callable[[Scene], str]) -> Arrangement:
        return lambda scene: scene.variables.update(TMPDIR=choose(scene))

    def elsewhere_is_empty(scene: Scene, _: Call) -> list[str]:
        left = os.listdir(scene.other)
        return [f"left in TMPDIR: {left}"] if left else []

    # Only commands that need no scratch folder may work without one.
    commands = (("plan",), ("run", "--dry-run"), ("verify",), ("status",))

    def doubtful(name: str, choose: Callable[[Scene], str]) -> Surrounding:
        return Surrounding(name, at(choose), OK | REFUSED, commands)

    return [
        Surrounding("no TMPDIR", setting(removed_variables=("TMPDIR",))),
        Surrounding("TMPDIR empty", at(lambda scene: "")),
        doubtful("TMPDIR missing", lambda scene: "/nowhere/at/all"),
        doubtful("TMPDIR a file", _a_file),
        Surrounding("TMPDIR relative", at(lambda scene: "../tmp")),
        Surrounding("TMPDIR with slashes", at(lambda scene: f"{scene.temporary}//")),
        Surrounding("TMPDIR a link", at(_linked)),
        Surrounding("TMPDIR of odd characters", at(lambda scene: _made(scene.root / "t mp?mode=ro#%41 'x'\n\u202e"))),
        doubtful("TMPDIR very long", _long),
        doubtful("TMPDIR in proc", lambda scene: "/proc"),
        Surrounding("TMPDIR inside the container", at(lambda scene: str(scene.local.parent))),
        Surrounding("TMPDIR not UTF-8", at(lambda scene: _made(os.path.join(os.fsencode(scene.root), b"t\xff"))),
                    frozenset({64}), commands=(("plan",), ("run",))),
        Surrounding("TMPDIR on another file system", at(_elsewhere), check=elsewhere_is_empty,
                    undo=lambda scene: os.rmdir(scene.other)),
    ]


def _made(folder: Path | bytes) -> str:
    os.makedirs(folder)
    return os.fsdecode(folder)


def _a_file(scene: Scene) -> str:
    (scene.root / "file").write_bytes(b"")
    return str(scene.root / "file")


def _linked(scene: Scene) -> str:
    (scene.root / "link").symlink_to("tmp")
    return str(scene.root / "link")


def _long(scene: Scene) -> str:
    folder = scene.root
    while len(str(folder)) < 3500:
        folder = folder / ("x" * 200)
    return _made(folder)


def _elsewhere(scene: Scene) -> str:
    for folder in ("/dev/shm", "/var/tmp", "/tmp"):
        if os.path.isdir(folder) and os.stat(folder).st_dev != os.stat(scene.home).st_dev:
            scene.other = Path(tempfile.mkdtemp(dir=folder))
            return str(scene.other)
    raise Unavailable("there is no second file system")
