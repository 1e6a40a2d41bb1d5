"""The fixed form of a SQLite file keeps its content and drops the traces of how it came to be."""

import contextlib
import sqlite3
import tempfile
import unittest
from pathlib import Path

from sampledata import pages

ROWS = [(number, f"row {number}", number / 7, None if number % 5 else bytes(number % 200)) for number in range(900)]


def connect(path):
    return contextlib.closing(sqlite3.connect(path, isolation_level=None))


def database(path, rows, before=(), page_size=pages.PAGE_SIZE):
    with connect(path) as connection:
        connection.execute(f"PRAGMA page_size = {page_size}")
        for statement in before:
            connection.execute(statement)
        connection.execute("CREATE TABLE T (n INTEGER, t TEXT, r REAL, b BLOB)")
        connection.execute("CREATE INDEX T_t ON T (t)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO T VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    return path.read_bytes()


def dump(path):
    with connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        indexed = connection.execute("SELECT t FROM T INDEXED BY T_t ORDER BY t").fetchall()
        return list(connection.iterdump()), indexed


class PageTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = Path(scratch.name, "a.store")

    def test_rows_schema_and_index_stay_as_they_were(self):
        content = database(self.path, ROWS)
        before = dump(self.path)
        self.path.write_bytes(pages.canonical_file(content))
        self.assertEqual(dump(self.path), before)
        self.assertEqual(self.path.stat().st_size, len(content))

    def test_the_fixed_form_of_a_fixed_file_is_itself(self):
        once = pages.canonical_file(database(self.path, ROWS))
        self.assertEqual(pages.canonical_file(once), once)

    def test_the_header_carries_fixed_counters(self):
        fixed = pages.canonical_file(database(self.path, ROWS))
        self.assertEqual(fixed[24:28], b"\0\0\0\1")
        self.assertEqual(fixed[92:96], fixed[24:28])
        self.assertEqual(int.from_bytes(fixed[96:100], "big"), pages.WRITER_VERSION)

    def test_garbage_in_unused_space_is_wiped(self):
        content = bytearray(pages.canonical_file(database(self.path, ROWS)))
        for start in range(pages.PAGE_SIZE, len(content), pages.PAGE_SIZE):
            header = 12 if content[start] in (pages.TABLE_INTERIOR, pages.INDEX_INTERIOR) else 8
            first = start + header + 2 * int.from_bytes(content[start + 3 : start + 5], "big")
            last = start + int.from_bytes(content[start + 5 : start + 7], "big")
            content[first:last] = b"\xee" * (last - first)
        again = pages.canonical_file(database(self.path.with_name("b"), ROWS))
        self.assertEqual(pages.canonical_file(bytes(content)), again)

    def test_the_order_of_cells_on_a_page_does_not_matter(self):
        page = bytearray(pages.PAGE_SIZE)
        page[0], page[3:5] = pages.TABLE_LEAF, (2).to_bytes(2, "big")
        one, two = bytes([3, 1, 2, 9, 65]), bytes([3, 2, 2, 9, 66])
        shuffled = bytearray(page)
        page[4091:4096], page[4086:4091] = one, two
        page[8:12] = (4091).to_bytes(2, "big") + (4086).to_bytes(2, "big")
        shuffled[3000:3005], shuffled[3900:3905] = one, two
        shuffled[8:12] = (3000).to_bytes(2, "big") + (3900).to_bytes(2, "big")
        self.assertEqual(pages.canonical_page(bytes(page)), pages.canonical_page(bytes(shuffled)))

    def test_a_row_too_long_for_a_page_is_refused(self):
        content = database(self.path, [(1, "x" * 5000, 0.0, None)])
        with self.assertRaisesRegex(ValueError, "too long for one page"):
            pages.canonical_file(content)

    def test_files_with_other_kinds_of_page_are_refused(self):
        for before, reason in [
            (["PRAGMA auto_vacuum = FULL"], "pointer-map"),
            (["PRAGMA journal_mode = WAL"], "rollback-journal"),
            (["PRAGMA encoding = 'UTF-16le'"], "UTF-8"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                pages.canonical_file(database(self.path.with_name(reason), ROWS, before))
        with self.assertRaisesRegex(ValueError, "page size"):
            pages.canonical_file(database(self.path, ROWS, page_size=8192))

    def test_free_pages_and_reserved_space_are_refused(self):
        database(self.path, ROWS)
        with connect(self.path) as connection:
            connection.execute("DELETE FROM T WHERE n > 10")
        with self.assertRaisesRegex(ValueError, "free pages"):
            pages.canonical_file(self.path.read_bytes())
        reserved = bytearray(database(self.path.with_name("b"), ROWS))
        reserved[20] = 12
        with self.assertRaisesRegex(ValueError, "reserves space"):
            pages.canonical_file(bytes(reserved))

    def test_variable_length_integers_of_every_length_are_read(self):
        for value, encoded in [
            (0, "00"),
            (127, "7f"),
            (128, "8100"),
            (16383, "ff7f"),
            (2**56 - 1, "ffffffffffffff7f"),
            (2**64 - 1, "ffffffffffffffffff"),
        ]:
            with self.subTest(value):
                self.assertEqual(pages._varint(bytes.fromhex(encoded) + b"\0", 0), (value, len(encoded) // 2))


if __name__ == "__main__":
    unittest.main()
