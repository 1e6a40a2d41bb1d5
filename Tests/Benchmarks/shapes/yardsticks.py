"""What other tools do with a shape's store. Each does less than Godwit: it checks little, and keeps no receipt.

The shell has its defaults: a rollback journal, `synchronous=FULL`, and foreign keys off.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from ..copying import dumping
from ..measuring import Work
from ..setting import line, text
from .declared import CLOUD, LOCAL, Form
from .stores import Made

JSON, OBJECTS, DUCKDB, PACKED = "sqlite3 -json", "json_object()", "DuckDB", "sqlite3 -json, pigz -6"
INSERT, UPSERT, DUMP = "INSERT … SELECT", "UPSERT", "sqlite3 .dump, sqlite3"
DUCK = Path(__file__).with_name("duck.py")

Columns = dict[str, list[tuple[str, str]]]


def quoted(name: str) -> str:
    return f'"{name}"'


def columns(store: Path, tables: list[str]) -> Columns:
    """By table: the name and the declared type of each column. The store is read without its log."""
    connection = sqlite3.connect(f"{store.resolve().as_uri()}?immutable=1", uri=True)
    try:
        return {table: [(row[1], row[2]) for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
                for table in tables}
    finally:
        connection.close()


def value(name: str, declared: str) -> str:
    """JSON has no blobs."""
    return f"hex({quoted(name)})" if declared.upper() == "BLOB" else quoted(name)


def chosen(listed: list[tuple[str, str]]) -> str:
    return ", ".join(f"{value(*column)} AS {quoted(column[0])}" for column in listed)


def selects(found: Columns, keys: dict[str, str]) -> list[str]:
    return [f"SELECT {chosen(listed)} FROM {quoted(table)} ORDER BY {keys[table]};" for table, listed in found.items()]


def objects(found: Columns, keys: dict[str, str]) -> list[str]:
    return [f"SELECT json_object({', '.join(f'{text(column[0])}, {value(*column)}' for column in listed)})"
            f" FROM {quoted(table)} ORDER BY {keys[table]};" for table, listed in found.items()]


def schema(store: Path, tables: list[str]) -> list[str]:
    """The statements that made the tables and their indexes."""
    connection = sqlite3.connect(f"{store.resolve().as_uri()}?immutable=1", uri=True)
    try:
        return [f"{row[1]};" for row in connection.execute(
            "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") if row[0] in tables]
    finally:
        connection.close()


def inserts(tables: list[str]) -> list[str]:
    return [f"INSERT INTO main.{quoted(table)} SELECT * FROM old.{quoted(table)};" for table in tables]


def upserts(found: Columns, keys: dict[str, str]) -> list[str]:
    """What is newer replaces what is there, as in a merge."""
    return [f"INSERT INTO main.{quoted(table)} SELECT * FROM old.{quoted(table)} WHERE true"
            f" ON CONFLICT ({keys[table]}) DO UPDATE SET "
            + ", ".join(f"{quoted(name)} = excluded.{quoted(name)}" for name, _ in listed if name != keys[table])
            + " WHERE excluded.updatedAt > updatedAt;" for table, listed in found.items()]


@dataclass(frozen=True)
class Yardsticks:
    """The works of other tools with one shape; without DuckDB's Python, none of that."""

    made: Made
    scratch: Path
    duck: Path | None

    @property
    def source(self) -> Path:
        """What they read: the store itself, or a copy where they would write a log back."""
        return self.scratch / "source" if self.made.shape.form is Form.WAL else self.made.files[0]

    @property
    def before(self) -> str:
        if self.made.shape.form is not Form.WAL:
            return "true"
        copies = [line(["cp", "--reflink=auto", file, f"{self.source}{end}"])
                  for file, end in zip(self.made.files, ("", "-wal"))]
        return " && ".join([line(["rm", "-f", f"{self.source}-shm"]), *copies])

    def script(self, name: str, lines: list[str]) -> Path:
        """Too long for a command line, of 300 tables."""
        path = self.scratch / name
        path.write_text("".join(f"{one}\n" for one in lines))
        return path

    def read(self, script: Path, *options: str) -> str:
        return f"{line(['sqlite3', '-bail', '-readonly', *options, self.source])} < {line([script])}"

    def work(self, name: str, command: str, product: Path | None = None, before: str = "true") -> Work:
        return Work(name, command, product, before=f"{self.before} && {before}", reads=(self.source,))

    @property
    def columns(self) -> Columns:
        return columns(self.made.files[0], list(self.made.shape.stored))

    def exports(self) -> list[Work]:
        theirs, found, keys = self.scratch / "theirs", self.columns, self.made.shape.stored
        json, each = self.script("json.sql", selects(found, keys)), self.script("objects.sql", objects(found, keys))
        works = [self.work(JSON, f"{self.read(json, '-json')} > {line([theirs])}", theirs),
                 self.work(OBJECTS, f"{self.read(each)} > {line([theirs])}", theirs)]
        if self.duck:
            folder = self.scratch / "duck"
            script = self.script("duck.tsv", [
                f"{table}\tSELECT {chosen(listed)} FROM s.{quoted(table)}" for table, listed in found.items()])
            works.append(self.work(DUCKDB, line([self.duck, DUCK, "export", folder, self.source, script]),
                                   before=f"rm -rf {line([folder])} && mkdir {line([folder])}"))
        return works

    def packing(self) -> list[Work]:
        theirs, script = self.scratch / "theirs", self.script("json.sql", selects(self.columns, self.made.shape.stored))
        return [self.work(PACKED, f"{self.read(script, '-json')} | pigz -6 > {line([theirs])}", theirs)]

    def copies(self) -> list[Work]:
        """Into a store of its own; of updates, into a cloud store as Godwit finds it."""
        theirs, tables = self.scratch / "theirs", list(self.made.shape.stored)
        merges = self.made.shape.form is Form.UPDATES
        statements = upserts(self.columns, self.made.shape.stored) if merges else inserts(tables)
        script = self.script("insert.sql", [*([] if merges else schema(self.made.files[0], tables)),
                                            f"ATTACH {text(self.source)} AS old;", "BEGIN;", *statements, "COMMIT;"])
        there = line(["cp", "--reflink=auto", self.made.container / CLOUD, theirs]) if merges else "true"
        insert = f"{line(['sqlite3', '-bail', theirs])} < {line([script])}"
        return [self.work(UPSERT if merges else INSERT, insert, theirs, there),
                self.work(DUMP, dumping(self.source, theirs), theirs)]

    def hashing(self, done: Path, finished: str) -> list[Work]:
        """Every record of both stores of a container that is done, hashed; of copies, since a log may be written back."""
        if not self.duck:
            return []
        folder = self.scratch / "hashed"
        stores = (folder / Path(LOCAL).name, folder / Path(CLOUD).name)
        words: list[str | Path] = []
        for store, tables in zip(stores, (list(self.made.shape.stored), list(self.made.shape.counts))):
            words += [store, self.script(f"hash-{store.stem}.tsv", [
                f"{table}\tSELECT count(*), bit_xor(hash(t)) FROM s.{quoted(table)} t" for table in tables])]
        copied = line(["cp", "-r", "--reflink=auto", (done / LOCAL).parent, folder])
        return [Work(DUCKDB, line([self.duck, DUCK, "hash", *words]),
                     before=f"{finished} && {{ [ -e {line([folder])} ] || {copied}; }}", reads=stores)]
