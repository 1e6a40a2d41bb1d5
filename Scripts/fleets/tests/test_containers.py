"""The containers that are made, and how their stores are read."""

from __future__ import annotations

import sqlite3
import tempfile
import unittest
from collections import Counter
from contextlib import closing
from pathlib import Path

from .. import containers, stores


class ContainerTests(unittest.TestCase):
    def test_two_thousand_of_four_kinds(self) -> None:
        names = containers.names(2000, 250)
        self.assertEqual(len(names), 2000)
        kinds = Counter(names.values())
        self.assertEqual(kinds, {"first launch": 1592, "two devices": 200, "interrupted": 200, "damaged": 8})

    def test_none_is_damaged(self) -> None:
        self.assertNotIn("damaged", containers.names(500, 0).values())

    def test_a_damaged_one_has_a_store_that_is_none(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            containers.make(Path(folder) / "a", containers.DAMAGED)
            with self.assertRaises(sqlite3.DatabaseError):
                stores.records(Path(folder) / "a" / containers.LOCAL)

    def test_the_sample_stays_as_it_is(self) -> None:
        before = (containers.SAMPLE / "container" / containers.LOCAL).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            containers.make(Path(folder) / "a", containers.DAMAGED)
        self.assertEqual((containers.SAMPLE / "container" / containers.LOCAL).read_bytes(), before)

    def test_the_manifest_finds_its_schema_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = containers.write_manifest(Path(folder))
            self.assertIn("schema: Migrations\n", path.read_text(encoding="utf-8"))
            self.assertTrue((path.parent / "Migrations" / "V0001__create_store.sql").exists())


class StoreTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def store(self, name: str, rows: list[tuple], *more: str) -> Path:
        path = self.folder / name
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE Bird(id, seen)")
            connection.executemany("INSERT INTO Bird VALUES (?, ?)", rows)
            for statement in more:
                connection.execute(statement)
        return path

    def test_the_order_of_rows_and_godwits_own_tables_do_not_count(self) -> None:
        one = self.store("a b?#%.store", [("x", 1), ("y", None)])
        two = self.store("c.store", [("y", None), ("x", 1)], "CREATE TABLE godwit_changed(a)")
        self.assertEqual(stores.digest(one), stores.digest(two))
        self.assertEqual((stores.records(one), stores.records(two)), (2, 2))

    def test_every_value_and_its_type_counts(self) -> None:
        digests = {stores.digest(self.store(f"{number}", [("x", value)]))
                   for number, value in enumerate((1, 2, "1", b"1", 1.5, None))}
        self.assertEqual(len(digests), 6)

    def test_receipts_and_runs(self) -> None:
        path = self.store(
            "r", [], "CREATE TABLE godwit_receipt(stage, runId)", "CREATE TABLE godwit_run(id)",
            "INSERT INTO godwit_receipt VALUES ('copy', 'R'), ('legacy', 'L')",
            "INSERT INTO godwit_run VALUES (1), (2)")
        self.assertEqual((stores.copy_receipt(path), stores.runs(path)), ("R", 2))
        self.assertEqual(stores.runs(self.store("n", [])), 0)

    def test_reading_leaves_no_file(self) -> None:
        path = self.store("s", [("x", 1)])
        stores.digest(path)
        self.assertEqual([each.name for each in self.folder.iterdir()], ["s"])
