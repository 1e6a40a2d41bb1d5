"""Stores with files next to them: logs and journals that are hot, stale, cut, foreign, linked or without a store."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sampledata.store import crashed_store

from .item import ABSENT, BAD, TAKEN, Item
from .storemaking import MARK, Build, by_sql, fill, store

EITHER = TAKEN | BAD
Change = Callable[[bytes], bytes]
#: The content of files that Godwit must never change.
PRECIOUS = b"the only copy\n"
NOISE = bytes(range(256)) * 64


def companion(path: Path, suffix: str) -> Path:
    """The path of a companion."""
    return path.with_name(path.name + suffix)


def items() -> list[Item]:
    """All of them."""
    return [
        Item(f"companions/{name}", codes, why, build) for name, codes, why, build in [*_logs(), *_journals(), *_swapped()]
    ]


def then(build: Build, suffix: str, make: Callable[[Path], object]) -> Build:
    """A set of files, and then something done at the path of one of them."""
    return lambda path: (build(path), make(companion(path, suffix)))


def written(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def twice(path: Path) -> None:
    """Gives a file a second name, as a backup made of hard links does."""
    os.link(path, path.parent / f"backup-of-{path.name}")


def to_passwd(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _logs() -> list[tuple[str, frozenset[int], str, Build]]:
    def index(make: Callable[[Path], object]) -> Build:
        """A store with a live log, and something else in the place of the log's index."""
        precious = then(wal(), "", lambda path: (path.parent / "precious").write_bytes(PRECIOUS))
        return then(precious, "-shm", make)

    def special(make: Callable[[Path], object]) -> Build:
        return then(by_sql(), "-wal", make)

    return [
        ("wal-live", TAKEN, "all rows, those in the log too", wal(keeps_shm=True)),
        ("wal-without-shm", TAKEN, "all rows", wal()),
        ("wal-mode-without-wal", TAKEN, "walMissing", by_sql(before="PRAGMA journal_mode=WAL", rows=3)),
        ("wal-cut-in-frame", TAKEN, "the last whole transaction", wal(lambda w: w[:-2000])),
        ("wal-cut-in-header", TAKEN, "as good as none", wal(lambda w: w[:20])),
        ("wal-salt-wrong", TAKEN, "ignored, as SQLite does", wal(lambda w: w[:16] + b"XXXXXXXX" + w[24:])),
        ("wal-empty", TAKEN, "as good as none", wal(lambda w: b"")),
        ("wal-random", TAKEN, "ignored, as SQLite does", wal(lambda w: NOISE)),
        ("wal-page-size-wrong", TAKEN, "ignored", wal(lambda w: w[:8] + struct.pack(">I", 512) + w[12:])),
        ("wal-version-wrong", EITHER, "a log of another version", wal(lambda w: w[:4] + struct.pack(">I", 9) + w[8:])),
        ("wal-frame-of-page-0", TAKEN, "the checksum is wrong", wal(lambda w: w[:32] + bytes(4) + w[36:])),
        ("shm-random", TAKEN, "never read", then(wal(), "-shm", written(NOISE * 2))),
        ("shm-is-a-link", EITHER, "never written through", index(lambda path: path.symlink_to("precious"))),
        ("shm-is-a-folder", EITHER, "never opened", index(Path.mkdir)),
        ("shm-is-a-fifo", EITHER, "must not block", index(os.mkfifo)),
        ("shm-under-two-names", EITHER, "the bytes of the other name must stay", index(
            lambda path: os.link(path.parent / "precious", path))),
        ("wal-under-two-names", EITHER, "the bytes of the other name must stay", then(wal(), "-wal", twice)),
        ("journal-under-two-names", EITHER, "the bytes of the other name must stay", then(
            hot_journal(), "-journal", twice)),
        ("store-under-two-names", EITHER, "a backup made of hard links must stay", then(by_sql(), "", twice)),
        ("wal-is-a-folder", BAD, "not a regular file", special(Path.mkdir)),
        ("wal-is-a-fifo", BAD, "not a regular file", special(os.mkfifo)),
        ("wal-is-a-link", BAD, "not a regular file", special(to_passwd)),
        ("wal-next-to-rollback-store", EITHER, "a log of another store next to a store without", special(
            written(b"not a log"))),
    ]


def _journals() -> list[tuple[str, frozenset[int], str, Build]]:
    def special(make: Callable[[Path], object]) -> Build:
        return then(by_sql(), "-journal", make)

    return [
        ("journal-hot", TAKEN, "what was committed, nothing else", hot_journal()),
        ("journal-hot-cut", EITHER, "what SQLite can restore", hot_journal(lambda j: j[:len(j) // 2])),
        ("journal-header-is-wrong", EITHER, "counts and sizes that are wrong",
         hot_journal(lambda j: j[:8] + b"\xff\xff\xff\xfe" + j[12:16] + b"\xff\xff\xff\xff" + j[20:])),
        ("journal-sector-size-1", EITHER, "a header that makes no sense",
         hot_journal(lambda j: j[:20] + struct.pack(">II", 1, 1) + j[28:])),
        ("journal-persisted", TAKEN, "a zeroed header is none", by_sql(before="PRAGMA journal_mode=PERSIST", rows=3)),
        ("journal-random", TAKEN, "no journal's magic", special(written(NOISE))),
        ("journal-empty", TAKEN, "none", special(written(b""))),
        ("journal-is-a-link", BAD, "not a regular file", special(to_passwd)),
        ("journal-is-a-folder", BAD, "not a regular file", special(Path.mkdir)),
        ("journal-is-a-fifo", BAD, "not a regular file", special(os.mkfifo)),
        ("journal-without-store", ABSENT, "was the store moved?", then(hot_journal(), "", Path.unlink)),
        ("wal-without-store", ABSENT, "was the store moved?", then(wal(), "", Path.unlink)),
        ("journal-names-somebodys-file", EITHER, "that file must stay", _super_journal(exists=True)),
        ("journal-names-a-missing-file", EITHER, "committed, says the missing name", _super_journal(exists=False)),
    ]


def _swapped() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("wal-of-another-store", BAD, "malformed", _wal_swapped),
        ("journal-of-another-store", EITHER, "malformed, or rolled back to nothing", _journal_swapped),
    ]


def wal(change: Change | None = None, keeps_shm: bool = False) -> Build:
    """A store in WAL mode with five rows that are only in the log."""

    def build(path: Path) -> None:
        with crashed_store(path, ("-wal", "-shm") if keeps_shm else ("-wal",)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            fill(connection, 20)
            connection.executescript("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint=0")
            connection.executemany(
                "INSERT INTO favourites(id, title) VALUES(?, ?)", [(f"w{n}", MARK + "only in wal") for n in range(5)])
        _change(companion(path, "-wal"), change)

    return build


def hot_journal(change: Change | None = None, rows: int = 200) -> Build:
    """A store in the middle of a transaction, as a power cut leaves it: some pages new, the old ones in the journal."""

    def build(path: Path) -> None:
        with crashed_store(path) as connection:
            connection.execute("PRAGMA cache_size=2")
            fill(connection, rows)
            connection.execute("BEGIN")
            connection.execute("UPDATE favourites SET title='UNCOMMITTED', data=zeroblob(300)")
            connection.execute("SELECT count(*) FROM favourites").fetchone()
        _change(companion(path, "-journal"), change)

    return build


def _change(path: Path, change: Change | None) -> None:
    if change:
        path.write_bytes(change(path.read_bytes()))


def _super_journal(exists: bool) -> Build:
    """A hot journal that names a file as the one that decides; SQLite deletes such a file if it has no journal."""

    def build(path: Path) -> None:
        hot_journal()(path)
        precious = path.with_name("precious.db-mj00000000")
        if exists:
            precious.write_bytes(PRECIOUS)
        journal = companion(path, "-journal")
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
    path.unlink()
    other = companion(path, ".other")
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.executescript("CREATE TABLE other(x); INSERT INTO other VALUES(1); CREATE TABLE favourites(id TEXT)")
    content = bytearray(other.read_bytes())
    content[18] = content[19] = 2
    path.write_bytes(content)
    other.unlink()


def _journal_swapped(path: Path) -> None:
    hot_journal(rows=600)(path)
    path.unlink()
    other = companion(path, ".other")
    store(other, rows=3).close()
    other.rename(path)
