"""Makes the container of a shape, its manifest and its schema file, where they are not there yet."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from . import generated, model
from .declared import CLOUD, LOCAL, Form, Shape

#: Changes with what is generated: a store of an older kind is not measured.
KIND = 1
#: KiB of cache, as SQLite wants them: keys in no order are put into indexes in memory.
CACHE = -2_000_000
#: Older than any record that is generated.
OLDER = "2025-06-01T00:00:00.000Z"


@dataclass(frozen=True)
class Made:
    """Where a shape is."""

    shape: Shape
    folder: Path

    @property
    def manifest(self) -> Path:
        return self.folder / "godwit.yaml"

    @property
    def container(self) -> Path:
        return self.folder / "container"

    @property
    def files(self) -> tuple[Path, ...]:
        """The local store, with its log if it has one."""
        store = self.container / LOCAL
        return (store, store.with_name(f"{store.name}-wal")) if self.shape.form is Form.WAL else (store,)

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.files)

    def counts(self, scale: float) -> int:
        return sum(self.shape.scaled(scale).values())


def made(folder: Path, shape: Shape, scale: float) -> Made:
    """The folder of a shape at a scale; nothing is left of an earlier attempt that was stopped."""
    found = Made(shape, folder / f"shape-{shape.name}-{KIND}-{scale:g}")
    if not found.folder.exists():
        part = Made(shape, found.folder.with_name(f"{found.folder.name}.part"))
        shutil.rmtree(part.folder, ignore_errors=True)
        (part.container / LOCAL).parent.mkdir(parents=True)
        (part.folder / "schema").mkdir()
        (part.folder / "schema/V0001__create_tables.sql").write_text(shape.schema)
        part.manifest.write_text(shape.manifest)
        fill(part, shape.scaled(scale))
        part.folder.rename(found.folder)
    return found


def fill(at: Made, counts: dict[str, int]) -> None:
    store = at.container / LOCAL
    if at.shape.form is Form.WAL:
        return fill_log(at, store, counts)
    connection = opened(store)
    if at.shape.form is Form.CORE_DATA:
        model.fill(connection, counts)
    else:
        connection.executescript(at.shape.schema)
        insert(connection, at.shape, counts)
    connection.close()
    if at.shape.form is Form.UPDATES:
        make_older(store, at.container / CLOUD, list(counts))


def opened(store: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute(f"PRAGMA cache_size={CACHE}")
    return connection


def insert(connection: sqlite3.Connection, shape: Shape, counts: dict[str, int]) -> None:
    """All records in one transaction; indexes that are no constraint are made after it."""
    indexes = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").fetchall()
    connection.execute("BEGIN")
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    for table, records in generated.by_table(shape, counts):
        width = len(connection.execute(f"PRAGMA table_info({table})").fetchall())
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", records)
    for _, statement in indexes:
        connection.execute(statement)
    connection.execute("COMMIT")


def fill_log(at: Made, store: Path, counts: dict[str, int]) -> None:
    """The store itself has only empty tables. It is copied while it is open: closing would write the log back."""
    live = at.folder / "live"
    connection = opened(live)
    connection.executescript(at.shape.schema)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    insert(connection, at.shape, counts)
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{live}{suffix}", f"{store}{suffix}")
    connection.close()
    live.unlink()


def make_older(store: Path, cloud: Path, tables: list[str]) -> None:
    """A cloud store with the same records, every tenth as it was before."""
    shutil.copyfile(store, cloud)
    connection = opened(cloud)
    connection.execute("BEGIN")
    for table in tables:
        connection.execute(f"UPDATE {table} SET position = position + 1, updatedAt = ? WHERE rowid % 10 = 0", (OLDER,))
    connection.execute("COMMIT")
    connection.close()
