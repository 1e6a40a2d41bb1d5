"""What can't be had for less: SQLite's own work on the same store, hashing, packing and flushing as many bytes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import trainlog
from .copying import by_dump, copying, inserting, planning
from .exporting import by_shell, by_sqlite_utils, exporting
from .measuring import Measured, Work, alternately
from .setting import TABLES, Setting, line, text
from .symbols import archives

STORED, ORDERED = "SQLite: every column, as stored", "SQLite: every column, in key order"
MAPPED = "SQLite: every column, in key order, all mapped"
INDEXES = "SQLite: every entry of every index, summed up"
QUICK, SQLITE_JSON = "SQLite: `quick_check`", "sqlite3 -json"
INSERTED = "SQLite: INSERT … SELECT into an empty store, by the shell"
INSERTED_INSIDE = "SQLite: INSERT … SELECT into an empty store"
HASHED, WRITTEN = "SHA-256 of the document", "writing and flushing the document"
COPIED = "cp of the document"
PLAIN = "a plain C program that makes JSON in key order"
MADE = "the same program: every record's text, as stored, and no more"
SORTED = "the same program: every record's text, as stored, its keys sorted, what indexes hold of it summed up"
START = "godwit --version"
IDEAL = "a C program that does all that an export owes"
EXPORT_IN_PARALLEL, COPY_IN_PARALLEL = "the parts of an export, in parallel", "the parts of a copy, in parallel"


#: Its arguments, and what to call it then: within the bounds of an export, and without them.
IDEALS = (
    ((), ()),
    (("mapped",), ("the store mapped",)),
    (("mapped", "unbounded"), ("the store mapped", "in as much memory as that takes")),
)


@dataclass(frozen=True)
class Floor:
    """What a work is made of at the least: others' works, each so many times; and its aim, in a yardstick's time.

    All parts are also run in one go, by the shell, so that two processors are busy with them wherever they can be."""

    work: str
    parts: tuple[tuple[int, str], ...]
    parallel: str
    yardstick: str
    factor: float
    #: A program that does the whole of it and little else, where there is one.
    ideal: str | None = None


#: An export starts, reads every record, makes its text, and puts all in the order of their keys. To find a store sound
#: takes `quick_check`, its indexes, every entry of which has to be looked at, and what they have to hold of the records, which
#: it reads anyway. To put records in order in little memory, they are written and read once more than the document is. It is
#: hashed as it is written; to read it back takes less, and is not counted. A copy is two stores, each of them found sound,
#: and all of its records read, both for what its indexes have to hold of them and to be compared. To put texts in order is in
#: none of it, nor deciding, nor comparing. Nor is packing: pigz is quicker or slower than another's, and no limit.
EXPORT = ((1, START), (1, SORTED), (1, QUICK), (1, INDEXES), (1, COPIED), (1, HASHED), (1, WRITTEN))
COPY = ((1, INSERTED_INSIDE), (2, QUICK), (2, INDEXES), (2, STORED))
FLOORS = (
    Floor("godwit export", EXPORT, EXPORT_IN_PARALLEL, SQLITE_JSON, 1 / 4, IDEAL),
    Floor("godwit export", EXPORT, EXPORT_IN_PARALLEL, "sqlite-utils rows --nl", 1 / 20, IDEAL),
    Floor("godwit copy", COPY, COPY_IN_PARALLEL, INSERTED, 2),
    Floor("godwit copy", COPY, COPY_IN_PARALLEL, "sqlite3 .dump, sqlite3", 1 / 10),
)


def floors(found: list[Measured], processors: int | None = None) -> list[list[str]]:
    """A row for each whose yardstick is there: seconds, of the processors, by the clock if they could share it without a
    rest, by the clock as they do share it, and by a program that does all of it."""
    taken = {one.work.name: one for one in found}
    cores = processors or os.cpu_count() or 1
    rows = []
    for floor in FLOORS:
        if floor.yardstick not in taken:
            continue
        least = sum(times * taken[part].processors for times, part in floor.parts)
        made = " + ".join(f"{times} × {part}" if times > 1 else part for times, part in floor.parts)
        rows.append([floor.work, made.replace("SQLite: ", ""), floor.yardstick.replace("SQLite: ", ""),
                     f"{least:.2f}", f"{least / cores:.2f}", f"{taken[floor.parallel].seconds:.2f}",
                     f"{taken[floor.ideal].seconds:.2f}" if floor.ideal else "",
                     f"{taken[floor.yardstick].seconds * floor.factor:.2f}",
                     f"{taken[floor.work].seconds:.2f}"])
    return rows


def built(folder: Path, name: str, *libraries: str) -> Path:
    """A program of C from this folder, built where it is not there yet, with the SQLite that Godwit has."""
    program = folder / name
    if not program.exists():
        source = Path(__file__).with_name(f"{name}.c")
        compiler = shutil.which("cc") or shutil.which("clang") or "cc"
        subprocess.run([compiler, "-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-o", program, source,
                        *(f"-L{archive.parent}" for archive in archives()), "-lsqlite3", *libraries,
                        "-lz", "-lm", "-ldl", "-lpthread"], check=True)
    return program


def plain(folder: Path) -> Path:
    """What makes JSON of records, and nothing else; or runs SQL."""
    return built(folder, "plain")


def ideal(folder: Path) -> Path:
    """What does all that an export owes."""
    return built(folder, "ideal", "-lcrypto")


def sql(at: Setting, store: Path, *statements: str) -> str:
    """Statements that read a store."""
    return line([plain(at.scratch), store, "=", *statements])


def scan(store: Path, in_key_order: bool) -> str:
    """Statements that look at each column of each record and copy none."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    queries = []
    for table in ("Workout", "ExerciseSet"):
        columns = ", ".join(f"count({row[1]})" for row in connection.execute(f"PRAGMA table_info({table})"))
        how = f"INDEXED BY {table}_id WHERE id >= ''" if in_key_order else "NOT INDEXED"
        queries.append(f"SELECT {columns} FROM {table} {how};")
    connection.close()
    return " ".join(queries)


def scan_of_indexes(store: Path) -> str:
    """Statements that look at every byte of each entry of every index."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    queries = []
    for table, index in connection.execute(
            "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index' AND rootpage > 0 ORDER BY name"):
        columns = ", ".join(str(row[2]) for row in connection.execute(f"PRAGMA index_info({index})"))
        queries.append(f"SELECT entries({columns}, rowid) FROM {table} INDEXED BY {index};")
    connection.close()
    return " ".join(queries)


def inserted(at: Setting, source: Path, target: Path) -> str:
    """What `inserting` has the shell do, by the program, with the shell's defaults."""
    schemas = [schema.read_text() for schema in sorted((trainlog.ROOT / "Migrations/trainlog").glob("*.sql"))]
    inserts = " ".join(f"INSERT INTO {table} SELECT * FROM old.{table};" for table in TABLES)
    return line([plain(at.scratch), target, "+", *schemas, f"ATTACH {text(source)} AS old;", f"BEGIN; {inserts} COMMIT;"])


def together(one: str, other: str) -> str:
    """Two commands at the same time; behind `set -e` it ends as soon as one fails."""
    return f"({one}) & ({other}); wait $!"


def export_in_parallel(at: Setting, document: Path, spooled: Path, made: Path) -> str:
    """First what has to be done before a record can be written: the last one that is read may be the first in order."""
    store = at.container / trainlog.STORE
    checks = [sql(at, store, "PRAGMA quick_check"), sql(at, store, scan_of_indexes(store)), copied(document, spooled)]
    texts = line([plain(at.scratch), store, "~", "Workout", "ExerciseSet"])
    return "; ".join(("set -e", line([at.binary, "--version"]), together(" && ".join(checks), texts),
                      together(hashed(document), flushed(document, made))))


def copy_in_parallel(at: Setting, made: Path) -> str:
    """The source is read and checked while the copy is made; that can be read only when it is whole."""
    store = at.container / trainlog.STORE
    sound, indexes, records = "PRAGMA quick_check", scan_of_indexes(store), scan(store, False)
    return "; ".join((
        "set -e",
        together(" && ".join(sql(at, store, part) for part in (sound, indexes, records)), inserted(at, store, made)),
        together(sql(at, made, sound), f"{sql(at, made, indexes)} && {sql(at, made, records)}")))


def works(at: Setting) -> list[Work]:
    """Godwit's own among them, so that all of them meet the same machine."""
    store, document, made = at.container / trainlog.STORE, at.scratch / "document.json", at.scratch / "made"
    reads = (store,)
    exists = f"[ -e {line([document])} ] || {at.godwit('export', at.container, '-o', document)}"
    mapped = f"PRAGMA mmap_size = {store.stat().st_size};"
    packed, spooled = at.scratch / "document.json.gz", at.scratch / "spooled"
    return [
        exporting(at),
        exporting(at, "--gzip"),
        copying(at, "copied", at.container),
        planning(at),
        by_shell(at),
        by_shell(at, "pigz -6"),
        *by_sqlite_utils(at),
        by_dump(at),
        Work(START, line([at.binary, "--version"])),
        Work(STORED, sql(at, store, scan(store, False)), reads=reads),
        Work(ORDERED, sql(at, store, scan(store, True)), reads=reads),
        Work(MAPPED, sql(at, store, mapped, scan(store, True)), reads=reads),
        Work(INDEXES, sql(at, store, scan_of_indexes(store)), reads=reads),
        Work(MADE, line([plain(at.scratch), store, "-", "Workout", "ExerciseSet"]), reads=reads),
        Work(SORTED, line([plain(at.scratch), store, "~", "Workout", "ExerciseSet"]), reads=reads),
        Work(PLAIN, line([plain(at.scratch), store, made, "Workout", "ExerciseSet"]), made, reads=reads),
        *(Work(", ".join((IDEAL, *names)), line([ideal(at.scratch), store, made, *words, "Workout", "ExerciseSet"]), made,
               reads=reads) for words, names in IDEALS),
        Work(QUICK, sql(at, store, "PRAGMA quick_check"), reads=reads),
        Work("SQLite: `integrity_check`", sql(at, store, "PRAGMA integrity_check"), reads=reads),
        Work(EXPORT_IN_PARALLEL, export_in_parallel(at, document, spooled, made), made,
             before=f"{exists}; rm -f {line([spooled])}", reads=reads),
        Work(COPY_IN_PARALLEL, copy_in_parallel(at, made), made, reads=reads),
        Work(INSERTED, inserting(store, made), made, reads=reads),
        Work(INSERTED_INSIDE, inserted(at, store, made), made, reads=reads),
        Work("cp of the store", copied(store, made), made, reads=reads),
        Work("SHA-256 of the store", hashed(store), reads=reads),
        Work(HASHED, hashed(document), before=exists),
        Work(COPIED, copied(document, made), made, before=exists),
        Work("writing and flushing as much as the store", flushed(store, made), made, reads=reads),
        Work(WRITTEN, flushed(document, made), made, before=exists),
        Work("pigz -6 of the document", f"pigz -6 -c {line([document])} > {line([made])}", made, before=exists),
        Work("unpacking the document", f"gzip -dc {line([packed])} > /dev/null",
             before=f"{exists} && {{ [ -e {line([packed])} ] || pigz -k {line([document])}; }}"),
        Work("gzip -6 of the document", f"gzip -6 -c {line([document])} > {line([made])}", made, before=exists),
    ]


def machine(at: Setting) -> Work:
    """What shows, next to any work, how the machine is doing with so many bytes."""
    store, made = at.container / trainlog.STORE, at.scratch / "machine"
    return Work("dd of the store", flushed(store, made), made, reads=(store,))


def copied(source: Path, target: Path) -> str:
    return line(["cp", "--reflink=never", source, target])


def hashed(file: Path) -> str:
    return line(["openssl", "dgst", "-sha256", file])


def flushed(source: Path, target: Path) -> str:
    return line(["dd", f"if={source}", f"of={target}", "bs=1M", "conv=fsync", "status=none"])


def measured(at: Setting, rounds: int) -> list[Measured]:
    return alternately(works(at), rounds, at.filling)
