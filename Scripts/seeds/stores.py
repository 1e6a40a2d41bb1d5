"""Seeds of the targets that open stores: a store, its log and its journal, with a mark between two of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sampledata.store import crashed_store

CUT = b"\n--cut--\n"


def store_files(setup: str, change: str, journal: str) -> tuple[bytes, bytes, bytes]:
    """A store, its log and its journal, copied while a connection makes a change."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        with crashed_store(path) as connection:
            connection.executescript(f"PRAGMA page_size=512; PRAGMA journal_mode={journal}; {setup}")
            if journal == "WAL":
                connection.executescript("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint=0; " + change)
            else:
                connection.executescript("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; " + change)
        return read_files(path)


def read_files(path: Path) -> tuple[bytes, bytes, bytes]:
    """A store, its log and its journal; empty if one is not a regular file."""
    paths = [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-journal")]
    return tuple(each.read_bytes() if each.is_file() else b"" for each in paths)


def store_seeds() -> dict[str, bytes]:
    """The first byte: 1 corrects the sums of the log, 2 those of the journal, 4 has the journal name a file."""
    plain = ("CREATE TABLE Workout(id TEXT PRIMARY KEY, name TEXT, at REAL); "
             "INSERT INTO Workout VALUES ('w1', 'squat', 1.5), ('w2', NULL, -7), ('w3', x'00ff', 9e99);")
    rich = ("CREATE TABLE a(x INTEGER PRIMARY KEY, y TEXT COLLATE NOCASE, z INTEGER AS (x + 1)) STRICT; "
            "CREATE TABLE b(k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX i ON a(y); "
            "CREATE INDEX p ON b(v) WHERE v; CREATE VIEW c AS SELECT * FROM a; "
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; "
            "INSERT INTO a(x, y) VALUES (1, 'B'), (2, 'a'); INSERT INTO b VALUES ('k', 1), ('l', 'm');")
    utf16 = ("PRAGMA encoding='UTF-16le'; CREATE TABLE u(t TEXT, UNIQUE(t)); "
             "INSERT INTO u VALUES ('\u00e9'), ('\U0001f426');")
    update = "UPDATE Workout SET name = name || '!', at = 2;"
    many = ("INSERT INTO Workout SELECT hex(randomblob(8)), hex(randomblob(60)), 1 "
            "FROM (VALUES (1),(2),(3),(4),(5),(6));")
    seeds: dict[str, bytes] = {}
    for title, setup, change, journal_mode in [
        ("log", plain, update, "WAL"), ("log-many", plain, many, "WAL"), ("log-rich", rich, "DELETE FROM a;", "WAL"),
        ("hot", plain + many, "DELETE FROM Workout; " + many + many, "DELETE"), ("rich", rich, "", "DELETE"),
        ("utf16", utf16, "", "DELETE"), ("plain", plain, "", "DELETE"),
    ]:
        store, log, journal = store_files(setup, change, journal_mode)
        if journal:
            seeds[title] = b"\x02" + store + CUT + CUT + journal
            seeds[title + "-named"] = b"\x06" + store + CUT + CUT + journal
        else:
            seeds[title] = b"\x01" + store + (CUT + log if log else b"")
    seeds["torn-log"] = seeds["log"][:-100]
    seeds["foreign-log"] = seeds["plain"] + CUT + seeds["log"].split(CUT)[1]
    return seeds


def inspect_seeds() -> dict[str, bytes]:
    """Sets of files as `wal-clone` has them, with what an inspection searches: keys, dates, relations, singletons."""
    app = ("CREATE TABLE Workout(id TEXT PRIMARY KEY, name TEXT, startedAt TEXT, updatedAt REAL, secret_token TEXT); "
           "CREATE TABLE ExerciseSet(id INTEGER PRIMARY KEY AUTOINCREMENT, workoutId TEXT REFERENCES Workout(id), "
           "reps INTEGER NOT NULL DEFAULT 1, CHECK (reps > 0)); CREATE TABLE UserSettings(id TEXT, unit TEXT); "
           "INSERT INTO Workout VALUES ('w1', 'squat', '2026-03-01T07:15:00Z', 794000000.5, 'x'), "
           "('w2', NULL, '1999-01-01', NULL, NULL); INSERT INTO ExerciseSet(workoutId, reps) VALUES ('w1', 5), ('w9', 6); "
           "INSERT INTO UserSettings VALUES ('a', 'kg');")
    odd = ("CREATE TABLE \"a b\"(\"select\" TEXT, \"x'y\" BLOB, PRIMARY KEY(\"select\", \"x'y\")) WITHOUT ROWID; "
           "CREATE TABLE p(id TEXT UNIQUE, g AS (id || 1) STORED, parent TEXT REFERENCES p); CREATE VIEW v AS SELECT 1; "
           "CREATE TABLE empty(x); INSERT INTO p(id, parent) VALUES ('1', '2'), ('2', '1'); "
           "INSERT INTO \"a b\" VALUES ('1', x'00');")
    seeds: dict[str, bytes] = {}
    for title, setup, change, journal_mode in [
        ("app", app, "", "DELETE"), ("app-log", app, "UPDATE Workout SET name = 'row';", "WAL"),
        ("odd", odd, "", "DELETE"), ("odd-log", odd, "DELETE FROM p;", "WAL"),
        ("hot", app, "DELETE FROM Workout; UPDATE UserSettings SET unit = hex(zeroblob(3000));", "DELETE"),
    ]:
        store, log, journal = store_files(setup, change, journal_mode)
        seeds[title] = b"\x03" + store + CUT + log + (CUT + journal if journal else b"")
    return seeds | {"empty": b"\x00"}
