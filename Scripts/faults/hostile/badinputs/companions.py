"""Stores with files beside them: logs and journals that are hot, stale, cut, foreign, linked or alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

from .item import BAD, ABSENT, TAKEN, Item
from .storemaking import MARK, Build, fill, store

EITHER = TAKEN | BAD
Change = Callable[[bytes], bytes]


def beside(path: Path, suffix: str) -> Path:
    """A companion's path."""
    return path.with_name(path.name + suffix)


def items() -> list[Item]:
    """All of them."""
    return [
        Item(f"beside/{name}", codes, why, build) for name, codes, why, build in [*_logs(), *_journals(), *_swapped()]
    ]


def _logs() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("wal-live", TAKEN, "all rows, those in the log too", wal(keeps_shm=True)),
        ("wal-without-shm", TAKEN, "all rows", wal()),
        ("wal-mode-without-wal", TAKEN, "walMissing", _wal_clean),
        ("wal-cut-in-frame", TAKEN, "the last whole transaction", wal(lambda w: w[:-2000])),
        ("wal-cut-in-header", TAKEN, "as good as none", wal(lambda w: w[:20])),
        ("wal-salt-wrong", TAKEN, "ignored, as SQLite does", wal(lambda w: w[:16] + b"XXXXXXXX" + w[24:])),
        ("wal-empty", TAKEN, "as good as none", wal(lambda w: b"")),
        ("wal-random", TAKEN, "ignored, as SQLite does", wal(lambda w: bytes(range(256)) * 64)),
        ("wal-page-size-wrong", TAKEN, "ignored", wal(lambda w: w[:8] + struct.pack(">I", 512) + w[12:])),
        ("wal-version-wrong", EITHER, "a log of another version", wal(lambda w: w[:4] + struct.pack(">I", 9) + w[8:])),
        ("wal-frame-of-page-0", TAKEN, "the checksum is wrong", wal(lambda w: w[:32] + bytes(4) + w[36:])),
        ("shm-random", TAKEN, "never read", _with_companion("-shm", bytes(range(256)) * 128, wal())),
        ("shm-is-a-link", BAD | TAKEN, "never written through", _shm(lambda p: os.symlink("precious", p))),
        ("shm-is-a-folder", BAD | TAKEN, "never opened", _shm(os.mkdir)),
        ("shm-is-a-fifo", BAD | TAKEN, "must not block", _shm(os.mkfifo)),
        ("shm-under-two-names", BAD | TAKEN, "the other name's bytes must stay", _shm(
            lambda p: os.link(Path(p).parent / "precious", p))),
        ("wal-under-two-names", BAD | TAKEN, "the other name's bytes must stay", _twice("-wal", wal())),
        ("journal-under-two-names", BAD | TAKEN, "the other name's bytes must stay", _twice("-journal", hot_journal())),
        ("store-under-two-names", BAD | TAKEN, "a backup made of hard links must stay", _twice(
            "", lambda p: store(p).close())),
        ("wal-is-a-folder", BAD, "no regular file", _with_special("-wal", os.mkdir)),
        ("wal-is-a-fifo", BAD, "no regular file", _with_special("-wal", os.mkfifo)),
        ("wal-is-a-link", BAD, "no regular file", _with_special("-wal", lambda p: os.symlink("/etc/passwd", p))),
        ("wal-beside-rollback-store", EITHER, "a log of another store beside a store without",
         _with_companion("-wal", b"not a log", lambda p: store(p).close())),
    ]


def _journals() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("journal-hot", TAKEN, "what was committed, nothing else", hot_journal()),
        ("journal-hot-cut", TAKEN | BAD, "what SQLite can restore", hot_journal(lambda j: j[:len(j) // 2])),
        ("journal-header-lies", TAKEN | BAD, "counts and sizes that are wrong",
         hot_journal(lambda j: j[:8] + b"\xff\xff\xff\xfe" + j[12:16] + b"\xff\xff\xff\xff" + j[20:])),
        ("journal-sector-size-1", TAKEN | BAD, "a header that makes no sense",
         hot_journal(lambda j: j[:20] + struct.pack(">II", 1, 1) + j[28:])),
        ("journal-persisted", TAKEN, "a zeroed header is none", _persisted_journal),
        ("journal-random", TAKEN, "no journal's magic",
         _with_companion("-journal", bytes(range(256)) * 64, lambda p: store(p).close())),
        ("journal-empty", TAKEN, "none", _with_companion("-journal", b"", lambda p: store(p).close())),
        ("journal-is-a-link", BAD, "no regular file",
         _with_special("-journal", lambda p: os.symlink("/etc/passwd", p))),
        ("journal-is-a-folder", BAD, "no regular file", _with_special("-journal", os.mkdir)),
        ("journal-is-a-fifo", BAD, "no regular file", _with_special("-journal", os.mkfifo)),
        ("journal-without-store", ABSENT, "was the store moved?", _journal_alone),
        ("wal-without-store", ABSENT, "was the store moved?", _wal_alone),
        ("journal-names-somebodys-file", TAKEN | BAD, "that file must stay", _super_journal(exists=True)),
        ("journal-names-a-missing-file", TAKEN | BAD, "committed, says the missing name", _super_journal(exists=False)),
    ]


def _swapped() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("wal-of-another-store", BAD, "malformed", _wal_swapped),
        ("journal-of-another-store", BAD | TAKEN, "malformed, or rolled back to nothing", _journal_swapped),
    ]


def _shm(make: Callable[[str], None]) -> Build:
    """A store with a live log, and something else in the place of the log's index."""

    def build(path: Path) -> None:
        wal()(path)
        (path.parent / "precious").write_bytes(b"somebody's only copy\n")
        make(str(beside(path, "-shm")))

    return build


def _twice(suffix: str, build: Build) -> Build:
    """A file of the set that is there under a second name, as in a backup made of hard links."""

    def make(path: Path) -> None:
        build(path)
        os.link(beside(path, suffix), path.parent / f"backup-of-{path.name}{suffix}")

    return make


def wal(change: Change | None = None, keeps_shm: bool = False) -> Build:
    """A store in WAL mode with five rows that are only in the log."""

    def build(path: Path) -> None:
        made = beside(path, ".build")
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        fill(connection, 20)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.executemany(
            "INSERT INTO favourites(id, title) VALUES(?, ?)", [(f"w{n}", MARK + "only in wal") for n in range(5)])
        shutil.copy(made, path)
        log = beside(made, "-wal").read_bytes()
        beside(path, "-wal").write_bytes(change(log) if change else log)
        if keeps_shm:
            shutil.copy(beside(made, "-shm"), beside(path, "-shm"))
        connection.close()
        _remove(made)

    return build


def _remove(path: Path) -> None:
    for suffix in ["", "-wal", "-shm", "-journal"]:
        beside(path, suffix).unlink(missing_ok=True)


def _wal_clean(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    fill(connection, 3)
    connection.close()


def _with_companion(suffix: str, content: bytes, build: Build) -> Build:
    def make(path: Path) -> None:
        build(path)
        beside(path, suffix).write_bytes(content)

    return make


def _with_special(suffix: str, make: Callable[[str], None]) -> Build:
    def build(path: Path) -> None:
        store(path).close()
        make(str(beside(path, suffix)))

    return build


def hot_journal(change: Change | None = None, rows: int = 200) -> Build:
    """A store in the middle of a transaction, as a power cut leaves it: some pages new, the old ones in the journal."""

    def build(path: Path) -> None:
        made = beside(path, ".build")
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("PRAGMA cache_size=2")
        fill(connection, rows)
        connection.execute("BEGIN")
        connection.execute("UPDATE favourites SET title='UNCOMMITTED', data=zeroblob(300)")
        connection.execute("SELECT count(*) FROM favourites").fetchone()
        shutil.copy(made, path)
        journal = beside(made, "-journal").read_bytes()
        beside(path, "-journal").write_bytes(change(journal) if change else journal)
        connection.execute("ROLLBACK")
        connection.close()
        _remove(made)

    return build


def _persisted_journal(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=PERSIST")
    fill(connection, 3)
    connection.close()


def _journal_alone(path: Path) -> None:
    hot_journal()(path)
    path.unlink()


def _wal_alone(path: Path) -> None:
    wal()(path)
    path.unlink()


def _super_journal(exists: bool) -> Build:
    """A hot journal that names a file as the one that decides; SQLite deletes such a file when it holds no journal."""

    def build(path: Path) -> None:
        hot_journal()(path)
        precious = path.with_name("precious.db-mj00000000")
        if exists:
            precious.write_bytes(b"somebody's only copy\n")
        journal = beside(path, "-journal")
        content = journal.read_bytes()
        content += bytes(-len(content) % 512)
        name = str(precious).encode()
        page = struct.pack(">I", 0x40000000 // 4096 + 1)
        checksum = sum(name) & 0xFFFFFFFF
        magic = bytes.fromhex("d9d505f920a163d7")
        journal.write_bytes(content + page + name + struct.pack(">II", len(name), checksum) + magic)

    return build


def _wal_swapped(path: Path) -> None:
    wal()(path)
    log = beside(path, "-wal").read_bytes()
    _remove(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("CREATE TABLE other(x); INSERT INTO other VALUES(1); CREATE TABLE favourites(id TEXT)")
    connection.close()
    content = bytearray(path.read_bytes())
    content[18] = content[19] = 2
    path.write_bytes(content)
    beside(path, "-wal").write_bytes(log)


def _journal_swapped(path: Path) -> None:
    hot_journal(rows=600)(path)
    journal = beside(path, "-journal").read_bytes()
    _remove(path)
    store(path, rows=3).close()
    beside(path, "-journal").write_bytes(journal)
