"""Ledgers of a dedupe that were changed before the dedupe is undone: nothing may be lost, nothing else written."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from ..calling import Call
from .badinputs.storemaking import MARK
from .case import Case, Codes
from .scene import Arrangement, Scene

#: Undone, refused as bad data, or no such run.
ANSWERS: Codes = frozenset({0, 64, 65, 66})

#: Values of a column of `godwit_removed`, by what is wrong with them.
RECORDS = {
    "no JSON": "'evil'", "half an object": "'{\"id\":'", "an empty object": "'{}'",
    "a list": "'[]'", "a blob": "x'00ff'",
    "nested JSON": "hex(zeroblob(0)) || replace(hex(zeroblob(50000)), '0', '[')", "one column": "'{\"id\":2}'",
    "an unknown column": "'{\"id\":2,\"name\":\"a\",\"value\":\"b\",\"evil\":1}'",
    "a column twice": "'{\"id\":2,\"id\":3,\"name\":\"a\",\"value\":\"b\"}'",
    "a text for a rowid": "'{\"id\":\"x\",\"name\":\"a\",\"value\":\"b\"}'",
    "another record's key": "'{\"id\":1,\"name\":\"a\",\"value\":\"b\"}'",
    "a number too large": "'{\"id\":{\"$int\":\"9223372036854775808\"},\"name\":1,\"value\":2}'",
    "an unknown wrapper": "'{\"id\":{\"$evil\":1},\"name\":1,\"value\":2}'",
    "a record of 20 MiB": "'{\"id\":2,\"name\":\"' || hex(zeroblob(10000000)) || '\",\"value\":2}'",
    "trailing JSON": "record || record", "a terminal's record": "char(27) || '[2J' || char(10)",
}
ENTITIES = {
    "an unknown entity": "'nothing'", "the schema for an entity": "'sqlite_schema'",
    "a book for an entity": "'godwit_run'",
    "an injection for an entity": "'settings\"; DROP TABLE favourites; --'", "another entity": "'favourites'",
    "an entity in capitals": "'SETTINGS'", "an empty entity": "''", "a terminal's entity": "char(27) || '[2J'",
}
IDENTITIES = {
    "an identity cut off": "'['", "an identity of three": "'[1,2,3]'", "an identity object": "'{}'",
    "an identity of words": "'[\"rowid\"]'", "an identity too large": "'[9223372036854775808]'",
    "an identity of another row": "'[1]'", "no identity": "NULL",
    "a nested identity": "replace(hex(zeroblob(9999)), '0', '[')",
}
STEPS = {
    "no step": "NULL", "step -1": "-1", "step 2^63-1": "9223372036854775807", "step in words": "'x'",
    "step 1.5": "1.5",
    "a step of blobs": "x'00'",
}
OTHERS = {
    "a digest of nothing": ("rowDigest", "'00'"), "a digest in blobs": ("rowDigest", "x'ff'"),
    "undone by an unknown run": ("undoneBy", "'x'"), "undone at no time": ("undoneAt", "'when?'"),
    "carried from nowhere": ("carriedFrom", "'nowhere'"), "carried from the cloud": ("carriedFrom", "'cloud'"),
    "removed at no time": ("removedAt", "'when?'"), "an unknown reason": ("reason", "char(27)"),
    "a winner that is gone": ("winnerKey", "99"), "a winner of blobs": ("winnerKey", "x'ff'"),
    "no key": ("key", "NULL"), "another run": ("runId", "'other'"),
}


def cases() -> list[Case]:
    """All of them."""
    return [
        Case(f"undo with {name}", _arranged(sql), ANSWERS, commands=("dedupe",), quick=("dedupe",)[number % 3:],
             check=_nothing_is_lost, settles=False)
        for number, (name, sql) in enumerate(_changes().items())
    ]


def _arranged(sql: str) -> Arrangement:
    """A run that set two settings and a favourite aside, and then some SQL on its ledger."""

    def arrange(scene: Scene) -> None:
        with _opened(scene) as store:
            store.executemany("INSERT INTO settings VALUES(?, ?, ?)", [(2, "a", MARK), (3, "b", MARK)])
        for command in ("migrate", "dedupe"):
            done = scene.call(command, "-q")
            assert done.code == 0, done.errors
        with _opened(scene) as store:
            run = store.execute("SELECT runId FROM godwit_removed LIMIT 1").fetchone()[0]
            store.executescript(sql.replace("RUN", run))
        scene.words = [*scene.words, "--undo", run]

    return arrange


def _opened(scene: Scene) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(scene.local, isolation_level=None))


def _nothing_is_lost(scene: Scene, _: Call) -> list[str]:
    with _opened(scene) as store:
        sound = store.execute("PRAGMA integrity_check").fetchall()
        rows = [store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("favourites", "settings")]
    said = [] if sound == [("ok",)] else [f"the store is not sound: {sound[:2]}"]
    # 20 favourites and one from the preferences; the settings that stayed, and those that came back.
    if rows[0] != 21 or not 1 <= rows[1] <= 3:
        said.append(f"{rows[0]} favourites and {rows[1]} settings")
    return said


def _changes() -> dict[str, str]:
    def removed(column: str, value: str) -> str:
        return f"UPDATE godwit_removed SET {column} = {value} WHERE id = (SELECT min(id) FROM godwit_removed)"

    found = {f"{name} for a record": removed("record", value) for name, value in RECORDS.items()}
    found |= {name: removed("entity", value) for name, value in ENTITIES.items()}
    found |= {name: removed("rowIdentity", value) for name, value in IDENTITIES.items()}
    found |= {name: removed("step", value) for name, value in STEPS.items()}
    found |= {name: removed(column, value) for name, (column, value) in OTHERS.items()}
    change = (
        "INSERT INTO godwit_changed(entity, key, \"column\", oldValue, newValue, reason, runId, changedAt, step) "
        "VALUES")
    return found | {
        "nothing changed": "SELECT 1",
        "the same row twice":
            "INSERT INTO godwit_removed(entity, key, record, reason, winnerKey, runId, removedAt, step, rowIdentity) "
            "SELECT entity, key, record, reason, winnerKey, runId, removedAt, step, rowIdentity FROM godwit_removed",
        "100000 rows more": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<100000) INSERT INTO "
                            "godwit_removed(entity, key, record, reason, winnerKey, runId, removedAt, step) SELECT "
                            "'settings', i, '{}', 'x', 1, 'RUN', 'x', i FROM n",
        "a change of an unknown column": f"{change}('settings', 1, 'nope', 1, 2, 'x', 'RUN', 'x', 9)",
        "a change of an injection":
            f"{change}('settings', 1, 'name\" = 1; DROP TABLE favourites; --', 1, 2, 'x', 'RUN', 'x', 9)",
        "a change of a book": f"{change}('godwit_run', 1, 'id', 1, 2, 'x', 'RUN', 'x', 9)",
        "a change of the key": f"{change}('settings', 1, 'id', x'ff', 1, 'x', 'RUN', 'x', 9)",
        "the winner gone": "DELETE FROM settings",
        "the books cut in half": "DELETE FROM godwit_removed WHERE id = (SELECT max(id) FROM godwit_removed)",
        "a trigger on its table": "CREATE TRIGGER evil AFTER INSERT ON settings BEGIN DELETE FROM favourites; END",
    }
