"""Export beside `sqlite3 -json`, alone and through `pigz`, and beside sqlite-utils, of one store."""

from __future__ import annotations

from . import trainlog
from .measuring import Work
from .rows import Row, faster
from .setting import Setting, line

QUERY = "SELECT * FROM Workout ORDER BY id; SELECT * FROM ExerciseSet ORDER BY id;"


def rows(at: Setting) -> list[Row]:
    ours, theirs = at.scratch / "ours", at.scratch / "theirs"
    into = line([theirs])
    store = at.container / trainlog.STORE
    reading = line(["sqlite3", "-readonly", "-json", store, QUERY])
    plain = Work("godwit export", at.godwit("export", at.container, "-o", ours), ours, reads=(store,))
    packed = Work("godwit export --gzip", at.godwit("export", at.container, "--gzip", "-o", ours), ours, reads=(store,))
    pipe = f"{reading} | pigz -6 > {into}"
    found = [
        Row("export, plain JSON", plain,
            Work("sqlite3 -json", f"{reading} > {into}", theirs, reads=(store,)), faster(4)),
        Row("export, both flushed to the disk", plain,
            Work("sqlite3 -json, sync", f"{reading} > {into} && sync {into}", theirs, reads=(store,))),
        Row("export --gzip", packed,
            Work("sqlite3 -json, pigz -6", pipe, theirs, reads=(store,)), faster(1.3, no_larger=True)),
        Row("export --gzip, both flushed", packed,
            Work("sqlite3 -json, pigz -6, sync", f"{pipe} && sync {into}", theirs, reads=(store,))),
    ]
    if at.sqlite_utils:
        each = "; ".join(line([at.sqlite_utils, "rows", store, table, "--nl"]) for table in ("Workout", "ExerciseSet"))
        found.append(Row("export, beside sqlite-utils", plain,
                         Work("sqlite-utils rows --nl", f"{{ {each}; }} > {into}", theirs, reads=(store,)), faster(20)))
    return found + [of_wal(at)]


def of_wal(at: Setting) -> Row:
    """The shell reads the set in place, which Godwit doesn't do: it leaves a `-shm` beside somebody's store."""
    ours, theirs = at.scratch / "ours", at.scratch / "theirs"
    store = at.wal / trainlog.STORE
    reads = (store, store.with_name(f"{store.name}-wal"))
    reading = line(["sqlite3", "-readonly", "-json", store, QUERY])
    gone = line(["rm", "-f", f"{store}-shm"])
    return Row("export of a store in WAL mode",
               Work("godwit export, WAL", at.godwit("export", at.wal, "-o", ours), ours, before=gone, reads=reads),
               Work("sqlite3 -json, WAL", f"{reading} > {line([theirs])} && {gone}", theirs, before=gone, reads=reads))
