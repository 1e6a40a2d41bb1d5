"""SQLite stores from SQL and CSV, the same bytes each time."""

import contextlib
import shutil
import sqlite3
from pathlib import Path
from typing import Callable, Dict, Iterable, Iterator, Sequence

from .coredata import CoreDataStore
from .coredata_entities import Entity
from .pages import PAGE_SIZE, canonical_file
from .rows import LabelledRows


def create_store(path: Path, scripts: Iterable[Path], labelled: LabelledRows, rows: Dict[str, Path]) -> None:
    """Makes a store in rollback-journal mode: runs the scripts, fills the tables, then fixes the bytes."""

    def fill(connection: sqlite3.Connection) -> None:
        for script in scripts:
            _run(connection, script)
        for table, source in rows.items():
            _fill(connection, table, source, labelled)
        labelled.check_names()

    _create(path, fill)


def create_core_data_store(
    path: Path, scripts: Iterable[Path], labelled: LabelledRows, rows: Dict[str, Path], entities: Sequence[Entity]
) -> None:
    """Makes a store in the layout of Core Data from what `create_store` would put into plain tables."""

    def fill(connection: sqlite3.Connection) -> None:
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as plain:
            for script in scripts:
                _run(plain, script)
            for table, source in rows.items():
                _fill(plain, table, source, labelled)
            labelled.check_names()
            plain.row_factory = sqlite3.Row
            read = {table: list(map(dict, plain.execute(f'SELECT * FROM "{table}" ORDER BY rowid'))) for table in rows}
        CoreDataStore(connection, labelled.app, entities).create(read)

    _create(path, fill)


@contextlib.contextmanager
def crashed_store(path: Path, kept: Sequence[str] = ("-wal", "-journal")) -> Iterator[sqlite3.Connection]:
    """Makes a store as a crash leaves it: its files are copied while the connection that made them is still open."""
    made = path.with_name(path.name + ".made")
    with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as connection:
        yield connection
        for suffix in ("", *kept):
            if Path(f"{made}{suffix}").exists():
                shutil.copyfile(f"{made}{suffix}", f"{path}{suffix}")
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{made}{suffix}").unlink(missing_ok=True)


def _create(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # made in a scratch folder, and compared before it is used
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA encoding = 'UTF-8'")
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("PRAGMA journal_mode = DELETE")
        fill(connection)
        connection.execute("VACUUM")
        _check(connection, path)
    path.write_bytes(canonical_file(path.read_bytes()))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        _check(connection, path)


def _run(connection: sqlite3.Connection, script: Path) -> None:
    # Read without newline translation: the text of a CREATE statement is part of the store.
    text = script.read_bytes().decode("utf-8").replace("\r\n", "\n")
    try:
        connection.executescript(text)
    except sqlite3.Error as error:
        raise ValueError(f"{script}: {error}") from error


def _fill(connection: sqlite3.Connection, table: str, source: Path, labelled: LabelledRows) -> None:
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
    if not columns:
        raise ValueError(f"{source}: the schema makes no table {table}")
    marks = ", ".join("?" for _ in columns)
    try:
        connection.execute("BEGIN")
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', labelled.read(source, columns))
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise ValueError(f"{source}: {error}") from error


def _check(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise ValueError(f"{path.name}: {found}")
