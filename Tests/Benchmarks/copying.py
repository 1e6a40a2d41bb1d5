"""Copy and run compared with what the sqlite3 shell needs for only the records; plan with run; import and verify.

The shell keeps its defaults: a rollback journal and `synchronous=FULL`, so that it flushes journal and store as it
commits (<https://sqlite.org/pragma.html#pragma_synchronous>). Godwit writes with `EXTRA`, reads everything again, and
flushes.
"""

from __future__ import annotations

from pathlib import Path

from . import trainlog
from .measuring import Work
from .rows import Row, at_most, faster
from .setting import CLOUD, TABLES, Setting, line, text


def inserting(source: Path, target: Path) -> str:
    """One INSERT … SELECT per table in one transaction, into a store of the same schema files."""
    schemas = [f".read {text(schema)}" for schema in sorted((trainlog.ROOT / "Migrations/trainlog").glob("*.sql"))]
    inserts = " ".join(f"INSERT INTO {table} SELECT * FROM old.{table};" for table in TABLES)
    return line(["sqlite3", target, *schemas, f"ATTACH {text(source)} AS old;", f"BEGIN; {inserts} COMMIT;"])


def dumping(source: Path, target: Path) -> str:
    return f"{line(['sqlite3', '-readonly', source, '.dump'])} | {line(['sqlite3', target])}"


def by_dump(at: Setting) -> Work:
    theirs, store = at.scratch / "theirs", at.container / trainlog.STORE
    return Work("sqlite3 .dump, sqlite3", dumping(store, theirs), theirs, reads=(store,))


def rows(at: Setting) -> list[Row]:
    theirs, store = at.scratch / "theirs", at.container / trainlog.STORE
    insert, dump = Work("INSERT … SELECT", inserting(store, theirs), theirs, reads=(store,)), by_dump(at)
    copy, run = copying(at, "copied", at.container), running(at)
    return [
        Row("copy", copy, insert, at_most(2)),
        Row("copy, compared with a dump", copy, dump, faster(10)),
        Row("run: schema, legacy, dedupe, copy, verify", run, insert),
        Row("run, compared with a dump", run, dump),
        Row("plan", planning(at), run, at_most(1.3)),
        of_wal(at),
        merging(at),
        Row("import", *importing(at, dump)),
        Row("verify", *verifying(at)),
    ]


def copying(at: Setting, name: str, of: Path) -> Work:
    copy = at.undone(name)
    return Work("godwit copy" if of == at.container else "godwit copy, WAL", at.godwit("copy", copy), copy / CLOUD,
                before=at.cleared(name, of), reads=(copy / trainlog.STORE,))


def running(at: Setting) -> Work:
    copy = at.undone("run")
    return Work("godwit run", at.godwit("run", copy), copy / CLOUD, before=at.restored("run"),
                reads=(copy / trainlog.STORE,))


def planning(at: Setting) -> Work:
    copy = at.undone("copied")
    return Work("godwit plan", at.godwit("plan", copy), before=at.cleared("copied"), reads=(copy / trainlog.STORE,))


def of_wal(at: Setting) -> Row:
    """The shell gets copies of store and log, since as it closes it would write the log back and remove it."""
    theirs, copy = at.scratch / "theirs", at.scratch / "by-hand"
    store = at.wal / trainlog.STORE
    copies = " && ".join(line(["cp", "--reflink=auto", f"{store}{end}", f"{copy}{end}"]) for end in ("", "-wal"))
    return Row("copy from a store in WAL mode", copying(at, "copied-wal", at.wal),
               Work("cp, INSERT … SELECT, WAL", f"{copies} && {inserting(copy, theirs)}", theirs,
                    before=line(["rm", "-f", copy, f"{copy}-wal", f"{copy}-shm"]),
                    reads=(store, store.with_name(f"{store.name}-wal"))))


def merging(at: Setting) -> Row:
    """Into a cloud store that has every other set; by hand, what is missing there by its key."""
    half, theirs, store = at.scratch / "half", at.scratch / "theirs", at.container / trainlog.STORE
    copy = at.undone("copied")
    deleting = line(["sqlite3", half, "DELETE FROM ExerciseSet WHERE rowid % 2"])
    made = f"[ -e {line([half])} ] || {{ {line(['cp', store, half])} && {deleting}; }}"
    inserts = " ".join(f"INSERT INTO {table} SELECT * FROM old.{table} WHERE {key} NOT IN (SELECT {key} FROM {table});"
                       for table, key in TABLES.items())
    return Row("copy into a cloud store that has half",
               Work("godwit copy, half there", at.godwit("copy", copy), copy / CLOUD,
                    before=f"{made} && {at.cleared('copied')} && {line(['cp', half, copy / CLOUD])}", reads=(store,)),
               Work("INSERT … SELECT … NOT IN", line(
                   ["sqlite3", theirs, f"ATTACH {text(store)} AS old;", f"BEGIN; {inserts} COMMIT;"]), theirs,
                    before=f"{made} && {line(['cp', half, theirs])}", reads=(store,)))


def importing(at: Setting, dump: Work) -> tuple[Work, Work]:
    document, ours = at.scratch / "document.json", at.scratch / "ours"
    made = f"[ -e {line([document])} ] || {at.godwit('export', at.container, '-o', document)}"
    command = at.godwit("import", None, document, "-m", trainlog.MANIFEST, "-o", ours)
    return Work("godwit import", command, ours, before=made), dump


def verifying(at: Setting) -> tuple[Work, Work]:
    """The shell only checks that both stores are sound; that they hold the same records it doesn't know."""
    done = at.scratch / "done"
    made = f"[ -e {line([done])} ] || {{ {at.restored('done')} && {at.godwit('run', done)}; }}"
    stores = (done / trainlog.STORE, done / CLOUD)
    checks = " && ".join(line(["sqlite3", "-readonly", store, "PRAGMA integrity_check"]) for store in stores)
    # Before the first round there is nothing to read.
    warm = f"{made} && cat {line(list(stores))} > /dev/null"
    return Work("godwit verify", at.godwit("verify", done), before=warm), Work("integrity_check", checks, before=warm)
