"""Variables that are missing, odd, huge or not UTF-8; locales; TMPDIR of every kind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..calling import Call
from .surrounding import OK, Place, Surrounding, Unavailable

REFUSED = frozenset({66, 73, 74, 77})


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_variables(), *_temporary()]


def variables(**values: str) -> Callable[[Place], None]:
    """A surrounding of these variables."""

    def make(place: Place) -> None:
        place.variables.update(values)

    return make


def without(*names: str) -> Callable[[Place], None]:
    """A surrounding without these variables."""

    def make(place: Place) -> None:
        place.removed_variables = names

    return make


def _variables() -> list[Surrounding]:
    def empty(place: Place) -> None:
        place.setup = "unset $(env | cut -d= -f1 | grep -E '^[A-Za-z_]+$')"

    def huge(place: Place) -> None:
        place.variables.update({f"GODWIT_TEST_{number}": "x" * 100_000 for number in range(8)})

    return [
        Surrounding("no HOME", without("HOME")),
        Surrounding("HOME missing folder", variables(HOME="/nowhere/at/all")),
        Surrounding("HOME odd", variables(HOME="\x1b[31m\n")),
        Surrounding("no variables at all", empty),
        Surrounding("huge environment", huge),
        Surrounding("LC_ALL=tr_TR.UTF-8", variables(LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8")),
        Surrounding("LANG=C", variables(LC_ALL="C", LANG="C")),
        Surrounding("LC_ALL unknown", variables(LC_ALL="xx_YY.nothing")),
        Surrounding("LC_ALL an attack", variables(LC_ALL="../../../../etc/passwd")),
        Surrounding("TZ Kathmandu", variables(TZ="Asia/Kathmandu")),
        Surrounding("TZ odd", variables(TZ="EVIL+99:99:99")),
        Surrounding("TZ a path", variables(TZ=":/etc/passwd")),
        Surrounding("TERM and COLUMNS odd", variables(TERM="\x1b[31m", COLUMNS="-5", LINES="9" * 40)),
        Surrounding("NO_COLOR empty", variables(NO_COLOR="")),
        Surrounding("GODWIT_MANIFEST empty", variables(GODWIT_MANIFEST="", GODWIT_CONTAINER="")),
        Surrounding("SQLITE_TMPDIR odd", variables(SQLITE_TMPDIR="/nowhere", SQLITE_HISTORY="/etc/passwd")),
        Surrounding("MALLOC_PERTURB_", variables(MALLOC_PERTURB_="165")),
    ]


def _temporary() -> list[Surrounding]:
    def at(choose: Callable[[Place], str]) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            place.variables["TMPDIR"] = choose(place)

        return make

    def a_file(place: Place) -> str:
        (place.root / "file").write_bytes(b"")
        return str(place.root / "file")

    def relative(place: Place) -> str:
        return "../tmp"

    def with_slash(place: Place) -> str:
        return f"{place.temporary}//"

    def linked(place: Place) -> str:
        (place.root / "link").symlink_to("tmp")
        return str(place.root / "link")

    def odd(place: Place) -> str:
        folder = place.root / "t mp?mode=ro#%41 'x'\n\u202e"
        folder.mkdir()
        return str(folder)

    def long(place: Place) -> str:
        folder = place.root
        while len(str(folder)) < 3500:
            folder = folder / ("x" * 200)
        folder.mkdir(parents=True)
        return str(folder)

    def inside(place: Place) -> str:
        return str(place.local.parent)

    def elsewhere(place: Place) -> str:
        for folder in ("/dev/shm", "/var/tmp", "/tmp"):
            if os.path.isdir(folder) and os.stat(folder).st_dev != os.stat(place.home).st_dev:
                made = tempfile.mkdtemp(dir=folder)
                place.other = Path(made)
                return made
        raise Unavailable("there is no second file system")

    def elsewhere_is_empty(place: Place, done: Call) -> list[str]:
        left = os.listdir(place.other)
        return [f"left in TMPDIR: {left}"] if left else []

    def gone(place: Place) -> None:
        os.rmdir(place.other)

    # Only what needs no scratch may go on without it.
    lenient = OK | REFUSED
    writing = (("plan",), ("run", "--dry-run"), ("verify",), ("status",))
    return [
        Surrounding("no TMPDIR", without("TMPDIR")),
        Surrounding("TMPDIR empty", at(lambda place: "")),
        Surrounding("TMPDIR missing", at(lambda place: "/nowhere/at/all"), lenient, commands=writing),
        Surrounding("TMPDIR a file", at(a_file), lenient, commands=writing),
        Surrounding("TMPDIR relative", at(relative)),
        Surrounding("TMPDIR with slashes", at(with_slash)),
        Surrounding("TMPDIR a link", at(linked)),
        Surrounding("TMPDIR of odd characters", at(odd)),
        Surrounding("TMPDIR very long", at(long), lenient, commands=writing),
        Surrounding("TMPDIR in proc", at(lambda place: "/proc"), lenient, commands=writing),
        Surrounding("TMPDIR inside the container", at(inside)),
        Surrounding("TMPDIR not UTF-8", _not_utf8, frozenset({64}), commands=(("plan",), ("run",))),
        Surrounding("TMPDIR on another file system", at(elsewhere), check=elsewhere_is_empty, undo=gone),
    ]


def _not_utf8(place: Place) -> None:
    folder = os.path.join(os.fsencode(place.root), b"t\xff")
    os.mkdir(folder)
    place.variables["TMPDIR"] = os.fsdecode(folder)
