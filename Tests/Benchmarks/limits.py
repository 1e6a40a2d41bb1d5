"""What can't be had for less: SQLite's own work on the same store, hashing, packing and flushing as many bytes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from . import trainlog
from .copying import copying, inserting, planning
from .measuring import Measured, Work, alternately
from .setting import Setting, line


def scan(store: Path, in_key_order: bool, mapped: int = 0) -> str:
    """A query that looks at each column of each record and copies none; so many bytes of the store are in memory."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    queries = []
    for table in ("Workout", "ExerciseSet"):
        columns = ", ".join(f"count({row[1]})" for row in connection.execute(f"PRAGMA table_info({table})"))
        how = f"INDEXED BY {table}_id WHERE id >= ''" if in_key_order else "NOT INDEXED"
        queries.append(f"SELECT {columns} FROM {table} {how};")
    connection.close()
    return line(["sqlite3", "-readonly", store, f"PRAGMA mmap_size = {mapped};", " ".join(queries)])


def works(at: Setting) -> list[Work]:
    """Godwit's own among them, so that all of them meet the same machine."""
    store, document, made = at.container / trainlog.STORE, at.scratch / "document.json", at.scratch / "made"
    reads = (store,)
    exists = f"[ -e {line([document])} ] || {at.godwit('export', at.container, '-o', document)}"
    shell: list[str | Path] = ["sqlite3", "-readonly", store]
    return [
        Work("godwit export", at.godwit("export", at.container, "-o", made), made, reads=reads),
        copying(at, "copied", at.container),
        planning(at),
        Work("SQLite: every column, as stored", scan(store, False), reads=reads),
        Work("SQLite: every column, in key order", scan(store, True), reads=reads),
        Work("SQLite: the same, the store mapped into memory", scan(store, True, store.stat().st_size), reads=reads),
        Work("SQLite: `quick_check`", line([*shell, "PRAGMA quick_check"]), reads=reads),
        Work("SQLite: `integrity_check`", line([*shell, "PRAGMA integrity_check"]), reads=reads),
        Work("SQLite: INSERT … SELECT into an empty store", inserting(store, made), made, reads=reads),
        Work("cp of the store", line(["cp", "--reflink=never", store, made]), made, reads=reads),
        Work("SHA-256 of the store", line(["openssl", "dgst", "-sha256", store]), reads=reads),
        Work("SHA-256 of the document", line(["openssl", "dgst", "-sha256", document]), before=exists),
        Work("writing and flushing as much as the store", flushed(store, made), made, reads=reads),
        Work("writing and flushing the document", flushed(document, made), made, before=exists),
        Work("pigz -6 of the document", f"pigz -6 -c {line([document])} > {line([made])}", made, before=exists),
        Work("gzip -6 of the document", f"gzip -6 -c {line([document])} > {line([made])}", made, before=exists),
    ]


def flushed(source: Path, target: Path) -> str:
    return line(["dd", f"if={source}", f"of={target}", "bs=1M", "conv=fsync", "status=none"])


def measured(at: Setting, rounds: int) -> list[Measured]:
    return alternately(works(at), rounds)
