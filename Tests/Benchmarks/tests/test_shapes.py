"""The shapes have the records and keys that they promise; yardsticks do what they are said to; ratios and tables."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from Benchmarks.measuring import Work
from Benchmarks.setting import Setting
from Benchmarks.shapes import generated, report, works
from Benchmarks.shapes.declared import CLOUD, LOCAL, SHAPES, Form
from Benchmarks.shapes.stores import KIND, Made, made
from Benchmarks.shapes.yardsticks import DUCKDB, DUMP, INSERT, JSON, OBJECTS, PACKED, UPSERT, Yardsticks

from .made import measured

SCALE = 0.0005
GODWITS = (works.EXPORT, works.GZIP, works.RUN, works.PLAN, works.VERIFY, works.DONE)
BY_NAME = {shape.name: shape for shape in SHAPES}


class ShapeCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="bench tests ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, name: str, scale: float = SCALE) -> Made:
        return made(self.folder, BY_NAME[name], scale)

    def rows(self, store: Path, query: str) -> list[tuple]:
        """Of a copy: to read a log may write it back."""
        copy = self.folder / "read"
        for end in ("", "-wal"):
            Path(f"{copy}{end}").unlink(missing_ok=True)
            if Path(f"{store}{end}").exists():
                shutil.copyfile(f"{store}{end}", f"{copy}{end}")
        connection = sqlite3.connect(copy)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()


class StoreTests(ShapeCase):
    def test_at_scale_1_there_are_as_many_records_as_said(self) -> None:
        counts = {name: sum(shape.counts.values()) for name, shape in BY_NAME.items()}
        self.assertEqual(counts, {"narrow": 1_100_000, "wide": 420_000, "blobs": 20_000, "integers": 2_000_000,
                                  "escapes": 400_000, "tables": 300_000, "wal": 366_666, "coredata": 600_000, "updates": 366_666})
        self.assertEqual(len(BY_NAME["tables"].counts), 300)

    def test_each_table_has_its_records_and_their_keys_are_unique(self) -> None:
        for name, shape in BY_NAME.items():
            at = self.made(name)
            for table, count in zip(shape.stored, shape.scaled(SCALE).values()):
                key = "ZIDENTIFIER" if shape.form is Form.CORE_DATA else "id"
                found = self.rows(at.container / LOCAL, f"SELECT count(*), count(DISTINCT {key}) FROM {table}")
                self.assertEqual(found, [(count, count)], (name, table))
            self.assertEqual(at.counts(SCALE), sum(shape.scaled(SCALE).values()))
            self.assertIn(f"local: {'{ path: ' if shape.form is Form.CORE_DATA else ''}{LOCAL}", at.manifest.read_text())
            self.assertEqual((at.folder / "schema/V0001__create_tables.sql").read_text(), shape.schema)

    def test_every_child_has_its_parent_and_an_index_for_it(self) -> None:
        for name in ("narrow", "wide", "wal", "updates"):
            store = self.made(name).container / LOCAL
            self.assertEqual(self.rows(store, "PRAGMA foreign_key_check"), [], name)
            child = list(BY_NAME[name].counts)[1]
            self.assertEqual(len(self.rows(store, f"PRAGMA foreign_key_list({child})")), 1, name)
            indexes = self.rows(store, "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
            self.assertEqual(len(indexes), 1, name)
        self.assertEqual(self.rows(self.made("coredata").container / LOCAL,
                                   "SELECT count(*) FROM ZNOTE JOIN ZFOLDER ON ZFOLDER.Z_PK = ZNOTE.ZFOLDER"), [(270,)])

    def test_the_same_shape_has_the_same_records_everywhere(self) -> None:
        said = {}
        for name in ("narrow", "wide", "blobs", "integers", "escapes", "tables"):
            shape = BY_NAME[name]
            texts = (repr(row) for table, rows in generated.by_table(shape, shape.scaled(0.0001)) for row in rows)
            said[name] = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
        # Other digests mean other stores: change KIND with them.
        self.assertEqual((KIND, said), (1, {
            "narrow": "0c295b63", "wide": "09ac469c", "blobs": "15019b6d", "integers": "8f4493c4", "escapes": "d796e23a",
            "tables": "0150d716"}))

    def test_values_are_as_large_as_said(self) -> None:
        for name, query, expected in (
                ("wide", "SELECT min(length(body)), max(length(body)) FROM Record", (5_000, 5_000)),
                ("blobs", "SELECT min(length(data)), typeof(data) FROM Picture", (10_000, "blob")),
                ("escapes", "SELECT min(length(body)), max(length(body)) FROM Remark", (300, 300)),
                ("coredata", "SELECT typeof(ZIDENTIFIER), typeof(ZUPDATEDAT) FROM ZNOTE", ("blob", "real"))):
            self.assertEqual(self.rows(self.made(name).container / LOCAL, query)[0], expected, query)

    def test_texts_have_what_json_escapes_and_what_it_need_not(self) -> None:
        texts = "".join(row[0] for row in self.rows(self.made("escapes").container / LOCAL, "SELECT body FROM Remark"))
        self.assertEqual([piece for piece in ('"', "\\", "\n", "山", "한", "😀") if piece not in texts], [])

    def test_a_log_has_all_records(self) -> None:
        at = self.made("wal")
        self.assertEqual([path.name for path in at.files], ["Local.store", "Local.store-wal"])
        self.assertEqual(sorted(path.name for path in at.files[0].parent.iterdir()), ["Local.store", "Local.store-wal"])
        store = sqlite3.connect(f"{at.files[0].resolve().as_uri()}?immutable=1", uri=True)
        self.addCleanup(store.close)
        self.assertEqual(store.execute("SELECT count(*) FROM Child").fetchone(), (0,))

    def test_a_tenth_of_the_cloud_store_is_older(self) -> None:
        at = self.made("updates", 0.003)
        older = self.rows(at.container / CLOUD, "SELECT count(*), sum(updatedAt < '2026') FROM Child")
        self.assertEqual(older, [(1000, 100)])
        self.assertEqual(self.rows(at.container / LOCAL, "SELECT sum(updatedAt < '2026') FROM Child"), [(0,)])

    def test_what_was_stopped_is_made_again(self) -> None:
        part = self.folder / f"shape-blobs-{KIND}-{SCALE:g}.part"
        (part / "container").mkdir(parents=True)
        (part / "left behind").touch()
        at = self.made("blobs")
        self.assertFalse(part.exists() or (at.folder / "left behind").exists())


@unittest.skipUnless(shutil.which("sqlite3"), "the sqlite3 shell is not here")
class YardstickTests(ShapeCase):
    def run_work(self, work: Work) -> None:
        for command in (work.before, work.command):
            subprocess.run(["bash", "-o", "pipefail", "-c", command], check=True, stdout=subprocess.DEVNULL)

    def yardsticks(self, name: str, scale: float = SCALE) -> Yardsticks:
        scratch = self.folder / f"scratch-{name}"
        scratch.mkdir()
        return Yardsticks(self.made(name, scale), scratch, None)

    def test_exports_of_the_shell_have_every_record(self) -> None:
        for name in ("narrow", "blobs", "wal", "coredata", "tables"):
            theirs = self.yardsticks(name)
            before = [path.read_bytes() for path in theirs.made.files]
            lines = []
            for work in theirs.exports():
                self.run_work(work)
                assert work.product
                lines.append(work.product.read_text().count("\n"))
                work.product.unlink()
            self.assertEqual(lines, [theirs.made.counts(SCALE)] * 2, name)
            self.assertEqual([path.read_bytes() for path in theirs.made.files], before, name)

    def test_copies_of_the_shell_have_every_record(self) -> None:
        for name in ("narrow", "wal", "coredata", "integers"):
            theirs = self.yardsticks(name)
            table = list(theirs.made.shape.stored)[-1]
            for work in theirs.copies():
                self.run_work(work)
                assert work.product
                found = self.rows(work.product, f"SELECT count(*) FROM {table}")
                self.assertEqual(found, [(list(theirs.made.shape.scaled(SCALE).values())[-1],)], (name, work.name))
                self.assertEqual(self.rows(work.product, "PRAGMA integrity_check"), [("ok",)])
                work.product.unlink()

    def test_an_upsert_makes_the_cloud_store_as_new_as_the_local_one(self) -> None:
        theirs = self.yardsticks("updates", 0.003)
        work = theirs.copies()[0]
        self.assertEqual(work.name, UPSERT)
        self.run_work(work)
        assert work.product
        everything = "SELECT * FROM Child ORDER BY id"
        self.assertEqual(self.rows(work.product, everything), self.rows(theirs.made.files[0], everything))

    def test_works_have_names_of_their_own_also_with_an_older_godwit(self) -> None:
        theirs = self.yardsticks("narrow")
        at = self.made("narrow")
        sides = [Setting(Path(f"/x/{name}"), at.container, at.container, self.folder / name, None, None, at.manifest)
                 for name in ("newer", "older")]
        names = [work.name for ours, others in works.groups(at, sides, theirs) for work in ours + others]
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(sum(name.startswith(works.OLDER) for name in names), 6)
        self.assertNotIn(DUCKDB, names)


class ReportTests(unittest.TestCase):
    def found(self, name: str, copied: str, duck: bool = True, older: bool = False) -> works.Found:
        """Godwit's seconds, and the others', of two rounds each."""
        seconds = {"export": 2.0, "export --gzip": 4.0, "run": 4.0, "plan": 5.0, "verify": 1.0, "run, done": 0.012,
                   f"export / {JSON}": 9.0, f"export / {OBJECTS}": 7.0, f"export --gzip / {PACKED}": 6.0, f"run / {copied}": 2.0,
                   f"run / {DUMP}": 8.0, **({f"export / {DUCKDB}": 1.5, f"verify / {DUCKDB}": 3.0} if duck else {}),
                   **(dict.fromkeys((f"older: {work}" for work in GODWITS), 8.0) if older else {})}
        sizes = {"export": 1000, "export --gzip": 200}
        return works.Found(name, 1_100_000, 5_000, {
            work: measured(work, taken - 0.001, taken + 0.001, size=sizes.get(work, 0)) for work, taken in seconds.items()}, 210)

    def test_ratios_are_the_others_time_by_godwits(self) -> None:
        one = report.figures(self.found("narrow", INSERT))
        self.assertEqual({name: round(ratio, 6) for name, ratio in one["export"]["timesAsFast"].items()},
                         {JSON: 4.5, OBJECTS: 3.5, DUCKDB: 0.75})
        self.assertEqual(one["run"]["timesAsFast"], {INSERT: 0.5, DUMP: 2.0})
        self.assertEqual((one["export --gzip"]["timesAsSmall"], one["plan"]["ofRun"]), (1.05, 1.25))
        self.assertNotIn("olderSeconds", one["run"])

    def test_a_row_for_each_shape_in_each_table(self) -> None:
        page = report.page(report.as_json([self.found("narrow", INSERT), self.found("updates", UPSERT)]))
        for row in ("| narrow | 1,100,000 | 5,000 |", "| narrow | 2.00 | 4.50 | 3.50 | 0.75 | 31 |",
                    "| updates | 4.00 | 1.50 | 1.050 |", "| updates | 4.00 | 0.50 | 2.00 | 31 | 5.00 | 1.25 | 12 |",
                    "| narrow | 1.00 | 3.00 | 31 |"):
            self.assertIn(row, page.splitlines())

    def test_what_is_not_installed_has_an_empty_column(self) -> None:
        one = self.found("narrow", INSERT, duck=False)
        self.assertIsNone(report.figures(one)["verify"]["timesAsFast"][DUCKDB])
        page = report.page(report.as_json([one]))
        self.assertIn("| narrow | 2.00 | 4.50 | 3.50 |  | 31 |", page)
        self.assertIn("| narrow | 1.00 |  | 31 |", page)

    def test_an_older_godwit_has_columns_of_its_own(self) -> None:
        page = report.page(report.as_json([self.found("narrow", INSERT, older=True)]))
        for row in ("| narrow | 2.00 | 8.00 | 4.50 | 3.50 | 0.75 | 31 |",
                    "| narrow | 4.00 | 8.00 | 0.50 | 2.00 | 31 | 5.00 | 8.00 | 1.25 | 12 | 8000 |",
                    "| narrow | 1.00 | 8.00 | 3.00 | 31 |"):
            self.assertIn(row, page.splitlines())
        for table in page.split("\n\n"):
            self.assertEqual(len({line.count("|") for line in table.splitlines()}), 1)
