"""Godwit's commands for a shape by turns with what they are compared with, and how much smaller its gzip is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ..filling import Filling
from ..measuring import Measured, Work, alternately, run
from ..setting import Setting, line
from .declared import CLOUD, LOCAL, Form
from .stores import Made
from .yardsticks import Yardsticks

EXPORT, GZIP, RUN, PLAN, VERIFY, DONE = "export", "export --gzip", "run", "plan", "verify", "run, done"
OLDER = "older: "

#: What takes turns: Godwit's works, the first of them the one to compare with, and those of others.
Group = tuple[list[Work], list[Work]]


@dataclass(frozen=True)
class Found:
    """One shape and its figures. `packed` is the size in bytes of Godwit's document behind `pigz -6`."""

    shape: str
    records: int
    bytes: int
    measured: dict[str, Measured]
    packed: int


def files(made: Made, container: Path) -> tuple[Path, ...]:
    """What a command reads of a copy of the container."""
    local = container / LOCAL
    return (local, *([local.with_name(f"{local.name}-wal")] if made.shape.form is Form.WAL else []),
            *([container / CLOUD] if made.shape.form is Form.UPDATES else []))


def exporting(made: Made, at: Setting, *options: str) -> Work:
    ours = at.scratch / "ours"
    return Work(" ".join((EXPORT, *options)), at.godwit("export", made.container, *options, "-o", ours), ours, reads=made.files)


def running(made: Made, at: Setting) -> list[Work]:
    """A fresh copy of the container each time; then the plan for another."""
    copy = at.undone("run")
    before, reads = at.restored("run"), files(made, copy)
    return [Work(RUN, at.godwit("run", copy), copy / CLOUD, before=before, reads=reads),
            Work(PLAN, at.godwit("plan", copy), before=before, reads=reads)]


def finished(at: Setting) -> str:
    """Has a container that is done, made once."""
    return f"{{ [ -e {line([at.undone('done')])} ] || {{ {at.restored('done')} && {at.godwit('run', at.undone('done'))}; }}; }}"


def checking(at: Setting) -> list[Work]:
    done = at.undone("done")
    reads = (done / LOCAL, done / CLOUD)
    return [Work(VERIFY, at.godwit("verify", done), before=finished(at), reads=reads),
            Work(DONE, at.godwit("run", done), before=finished(at), reads=reads)]


def groups(made: Made, sides: list[Setting], theirs: Yardsticks) -> list[Group]:
    """Each with the works of this Godwit and, if there is one, of an older one."""
    def by_all(works: Callable[[Setting], list[Work]]) -> list[Work]:
        newer, *older = (works(at) for at in sides)
        return [*newer, *(replace(work, name=f"{OLDER}{work.name}") for each in older for work in each)]

    newer = sides[0]
    return [(by_all(lambda at: [exporting(made, at)]), theirs.exports()),
            (by_all(lambda at: [exporting(made, at, "--gzip")]), theirs.packing()),
            (by_all(lambda at: running(made, at)), theirs.copies()),
            (by_all(checking), theirs.hashing(newer.undone("done"), finished(newer)))]


def size_behind_pigz(made: Made, at: Setting) -> int:
    """Of the very document that Godwit packs itself with --gzip."""
    document, packed = at.scratch / "document.json", at.scratch / "document.json.gz"
    run(f"{at.godwit('export', made.container, '-o', document)} && pigz -6 -k {line([document])}")
    size = packed.stat().st_size
    for path in (document, packed):
        path.unlink()
    return size


def measured(made: Made, binaries: list[Path], duck: Path | None, scratch: Path, scale: float, rounds: int,
             filling: Filling | None) -> Found:
    """The newer binary is the first one."""
    sides = []
    for name, binary in zip(("newer", "older"), binaries):
        (scratch / name).mkdir()
        sides.append(Setting(binary, made.container, made.container, scratch / name, None, filling, made.manifest))
    (scratch / "theirs").mkdir()
    found: dict[str, Measured] = {}
    for ours, others in groups(made, sides, Yardsticks(made, scratch / "theirs", duck)):
        works = [*ours, *(replace(work, name=f"{ours[0].name} / {work.name}") for work in others)]
        for one in alternately(works, rounds, filling):
            found[one.work.name] = one
            print(f"bench: {made.shape.name}: {one.work.name}: {one.seconds:.3f} s", file=sys.stderr, flush=True)
    return Found(made.shape.name, made.counts(scale), made.size, found, size_behind_pigz(made, sides[0]))
