"""How the tests of the apps read what was made: plain SQL, and dates as instants."""

import contextlib
import sqlite3
import unittest
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple


def query(path: Path, sql: str) -> List[tuple]:
    """What a store answers; it is opened for reading only."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def records(path: Path, table: str) -> Dict[Any, tuple]:
    """The rows of a table by their first column; of rows that share it, the last one read."""
    return {row[0]: row for row in query(path, f"SELECT * FROM {table}")}


def repeated(path: Path, table: str, key: str) -> Dict[Any, int]:
    """The keys that are there more than once, and how often."""
    return dict(query(path, f"SELECT {key}, count(*) FROM {table} GROUP BY {key} HAVING count(*) > 1"))


def instant(text: str) -> datetime:
    """The instant that a date in ISO 8601 speaks of."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def compare(phone: tuple, cloud: tuple, date: Callable[[tuple], Any] = lambda row: instant(row[-1])) -> str:
    """Which of two versions of a record is newer."""
    if phone == cloud:
        return "equal"
    one, other = date(phone), date(cloud)
    return "tie" if one == other else "phone newer" if one > other else "cloud newer"


def newest(path: Path, table: str, date: Callable[[tuple], Any]) -> Dict[Any, tuple]:
    """The rows of a table by their first column; of rows that share it, the newest."""
    found: Dict[Any, tuple] = {}
    for row in query(path, f"SELECT * FROM {table}"):
        if row[0] not in found or date(row) > date(found[row[0]]):
            found[row[0]] = row
    return found


def meeting(phone: Path, cloud: Path, table: str, date: Callable[[tuple], Any]) -> Counter:
    """How the records of two stores meet: only in one of them, equal, or which is newer."""
    ours, theirs = newest(phone, table, date), newest(cloud, table, date)
    found = Counter({"phone": len(ours.keys() - theirs.keys()), "cloud": len(theirs.keys() - ours.keys())})
    found.update(compare(ours[key], theirs[key], date) for key in ours.keys() & theirs.keys())
    return +found


class AppTests(unittest.TestCase):
    """What holds for every sample app."""

    def check_stores(self, app: Path, expected: int) -> None:
        """Every store of the app is sound, small, in rollback mode, and as the app left it."""
        stores = sorted(app.rglob("*.store"))
        self.assertEqual(len(stores), expected)
        for path in stores:
            with self.subTest(path):
                self.assertEqual(query(path, "PRAGMA integrity_check"), [("ok",)])
                self.assertEqual(query(path, "PRAGMA journal_mode"), [("delete",)])
                self.assertEqual(query(path, "SELECT name FROM sqlite_schema WHERE name LIKE 'godwit%'"), [])
                self.assertLess(path.stat().st_size, 300_000)

    def check_references(self, path: Path, references: List[Tuple[str, str, str, str]], expected: int = 0) -> None:
        """How many references lead nowhere: table, column, table, key."""
        for child, column, parent, key in references:
            sql = f"SELECT count(*) FROM {child} WHERE {column} NOT IN (SELECT {key} FROM {parent})"
            with self.subTest(path=path, sql=sql):
                self.assertEqual(query(path, sql), [(expected,)])
