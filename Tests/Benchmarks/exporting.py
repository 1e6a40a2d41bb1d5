"""Export compared with `sqlite3 -json`, without and with `pigz`, and with sqlite-utils, of one store."""

from __future__ import annotations

from . import trainlog
from .measuring import Work
from .rows import Row, faster
from .setting import Setting, line

QUERY = "SELECT * FROM Workout ORDER BY id; SELECT * FROM ExerciseSet ORDER BY id;"


def exporting(at: Setting, *options: str) -> Work:
    ours = at.scratch / "ours"
    return Work(" ".join(("godwit export", *options)), at.godwit("export", at.container, *options, "-o", ours), ours,
                reads=(at.container / trainlog.STORE,))


def by_shell(at: Setting, *steps: str, flushed: bool = False) -> Work:
    """The shell's JSON, through other programs if there are any."""
    theirs, store = at.scratch / "theirs", at.container / trainlog.STORE
    pipe = " | ".join((line(["sqlite3", "-readonly", "-json", store, QUERY]), *steps))
    flush = f" && sync {line([theirs])}" if flushed else ""
    return Work(", ".join(("sqlite3 -json", *steps, *(["sync"] if flushed else []))),
                f"{pipe} > {line([theirs])}{flush}", theirs, reads=(store,))


def by_sqlite_utils(at: Setting) -> list[Work]:
    """None where it is not there."""
    if not at.sqlite_utils:
        return []
    theirs, store = at.scratch / "theirs", at.container / trainlog.STORE
    each = "; ".join(line([at.sqlite_utils, "rows", store, table, "--nl"]) for table in ("Workout", "ExerciseSet"))
    return [Work("sqlite-utils rows --nl", f"{{ {each}; }} > {line([theirs])}", theirs, reads=(store,))]


def rows(at: Setting) -> list[Row]:
    plain, packed = exporting(at), exporting(at, "--gzip")
    return [
        Row("export, plain JSON", plain, by_shell(at), faster(4)),
        Row("export, both flushed to the disk", plain, by_shell(at, flushed=True)),
        Row("export --gzip", packed, by_shell(at, "pigz -6"), faster(1.3, no_larger=True)),
        Row("export --gzip, both flushed", packed, by_shell(at, "pigz -6", flushed=True)),
        *(Row("export, compared with sqlite-utils", plain, work, faster(20)) for work in by_sqlite_utils(at)),
        of_wal(at),
    ]


def of_wal(at: Setting) -> Row:
    """The shell reads the set in place, which Godwit doesn't do: it leaves a `-shm` next to another process's store."""
    ours, theirs = at.scratch / "ours", at.scratch / "theirs"
    store = at.wal / trainlog.STORE
    reads = (store, store.with_name(f"{store.name}-wal"))
    reading = line(["sqlite3", "-readonly", "-json", store, QUERY])
    gone = line(["rm", "-f", f"{store}-shm"])
    return Row("export of a store in WAL mode",
               Work("godwit export, WAL", at.godwit("export", at.wal, "-o", ours), ours, before=gone, reads=reads),
               Work("sqlite3 -json, WAL", f"{reading} > {line([theirs])} && {gone}", theirs, before=gone, reads=reads))
