"""The judge of Core Data's scenarios: what is only read, what a draft may be, and whose records are there."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import tempfile
import unittest
from pathlib import Path

from faults import coredata, reading
from faults.auditing.recording import Recording
from faults.auditing.rules import Audit, Bounds
from faults.birdlog import BUNDLE, CONTAINER, LOCAL, OUTPUT, local_rows
from faults.judgment import Box
from faults.scenario import DRAFT, Scenario
from faults.scenarios import QUICK, core_data_scenarios, diagonal, scenarios
from faults.state import content, made

#: Replaces `godwit init`: writes the schema file, then the manifest, and never over anything.
STAND_IN = """\
#!/usr/bin/env python3
import os, sys
place = sys.argv[sys.argv.index('-o') + 1]
files = {'Migrations/V0001__create_store.sql': 'CREATE TABLE a(b);', 'godwit.yaml': '# for ' + sys.argv[2] + '\\ngodwit: 1\\n'}
for name, text in files.items():
    path = os.path.join(place, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        print('godwit: error: ' + path + ' is there already.', file=sys.stderr)
        sys.exit(73)
    open(path, 'w').write(text)
"""


class CoreDataTests(unittest.TestCase):
    box: Box

    @classmethod
    def setUpClass(cls) -> None:
        base = Path(tempfile.mkdtemp(prefix="faults-test-"))
        cls.addClassCleanup(shutil.rmtree, base, ignore_errors=True)
        program = base / "stand-in"
        program.write_text(STAND_IN)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        cls.box = Box(Scenario("init", coredata.VARIANTS[0], ("-o", f"{{out}}/{DRAFT}"), product=DRAFT, only_reads=True),
                      program, base)

    def setUp(self) -> None:
        self.folder = self.box.copy()
        self.addCleanup(self.box.discard, self.folder)
        self.draft = self.folder / OUTPUT / DRAFT

    def found(self) -> str:
        return "; ".join(self.box.faults_whenever(self.folder))

    def test_what_is_right_is_not_found_fault_with(self) -> None:
        self.assertEqual(self.found(), "")
        self.assertEqual(self.box.run_again(self.folder), [])
        self.assertEqual(self.found(), "")

    def test_a_file_beside_the_store_that_is_touched_gone_or_new(self) -> None:
        folder = self.folder / CONTAINER / coredata.EXTERNAL
        file = next(path for path in sorted(folder.iterdir()))
        content_before = file.read_bytes()
        file.write_bytes(b"x" + content_before[1:])
        self.assertIn(f"{file.name} was touched", self.found())
        file.unlink()
        self.assertIn(f"{file.name} was touched", self.found())
        (folder / "new").write_bytes(b"")
        self.assertIn("_EXTERNAL_DATA/new is new", self.found())

    def test_anything_new_in_a_container_that_is_only_looked_at(self) -> None:
        (self.folder / CONTAINER / "Library" / "lock").write_bytes(b"")
        self.assertIn("Library/lock is new", self.found())

    def test_a_log_that_was_moved_into_the_store(self) -> None:
        connection = sqlite3.connect(self.folder / CONTAINER / LOCAL)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.close()
        self.assertIn("Birdlog.store was touched", self.found())
        self.assertIn("Birdlog.store-wal was touched", self.found())

    def test_half_a_manifest_and_one_without_its_schema_file(self) -> None:
        self.assertEqual(self.box.run_again(self.folder), [])
        (self.draft / "godwit.yaml").write_text("godwit:")
        self.assertIn("not whole", self.found())
        (self.draft / "godwit.yaml").write_text("godwit: 1\n")
        (self.draft / "Migrations/V0001__create_store.sql").unlink()
        self.assertIn("not whole", self.found())

    def test_a_schema_file_alone_is_named_and_another_folder_taken(self) -> None:
        self.assertEqual(self.box.run_again(self.folder), [])
        (self.draft / "godwit.yaml").unlink()
        self.assertEqual(self.found(), "")
        self.assertEqual(self.box.run_again(self.folder), [])

    def test_a_message_that_names_nothing_that_is_there(self) -> None:
        self.assertEqual(self.box.run_again(self.folder), [])
        found = self.box._draft_elsewhere(self.folder, "godwit: error: something is there already.")
        self.assertTrue(any("does not say what is in its way" in fault for fault in found), found)

    def test_an_empty_folder_is_no_draft(self) -> None:
        (self.draft / "Migrations").mkdir(parents=True)
        self.assertIsNone(made(self.folder, DRAFT))
        (self.draft / "godwit.yaml").write_text("# elsewhere\ngodwit: 1\n")
        self.assertEqual(content(self.draft, self.folder), {Path("godwit.yaml"): b"godwit: 1\n"})

    def test_the_store_holds_the_rows_of_the_plain_one(self) -> None:
        rows = reading.rows(self.folder / CONTAINER / LOCAL)
        for entity, records in coredata.records(rows).items():
            expected = sorted(row[0].encode() for row in local_rows()[entity])
            self.assertEqual(sorted(row[0][1] for row in records[1:]), expected, entity)
        self.assertEqual(set(coredata.records(rows)), {"Species", "Sighting", "Settings"})
        self.assertTrue((self.folder / BUNDLE / "AppData" / LOCAL).exists())

    def test_a_quick_sweep_takes_every_plain_command_and_some_of_these(self) -> None:
        kinds = [scenario.kind for scenario in diagonal(scenarios())]
        self.assertEqual(len(kinds), len(set(kinds)))
        self.assertTrue(set(QUICK) <= set(kinds))
        self.assertNotIn("copy from Core Data", kinds)
        self.assertTrue({"run", "copy", "export", "import"} <= set(kinds))
        self.assertEqual({scenario.variant.layout for scenario in core_data_scenarios()}, {"coreData"})

    def test_the_audit_lets_a_store_be_locked_and_not_written(self) -> None:
        opened = '7 openat(AT_FDCWD</h>, "/c/a.store", O_RDWR|O_NOFOLLOW) = 4</c/a.store>\n'
        written = "7 pwrite64(4</c/a.store>, \"\"..., 512, 0) = 512\n"
        for text, bounds, count in (
            (opened, Bounds(["/c"], "/t", lockable=["/c/a.store"], writes=True), 0),
            (opened, Bounds(["/c"], "/t", writes=True), 1),
            (opened + written, Bounds(["/c"], "/t", lockable=["/c/a.store"], writes=True), 1),
        ):
            audit = Audit(Recording.read(text, "/h"), bounds, "/b")
            self.assertEqual(len(audit.findings), count, audit.findings)


if __name__ == "__main__":
    unittest.main()
