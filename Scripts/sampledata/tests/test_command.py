"""Writing and checking, in a copy of the repository's sample folders."""

import contextlib
import io
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from sampledata.apps import APPS
from sampledata.command import REPOSITORY, differences, main

STORE = "container/Library/Application Support/TrainLog.store"


class CommandTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.repository = Path(scratch.name)
        self.app = self.repository / "SampleData/trainlog"
        shutil.copytree(REPOSITORY / "Migrations", self.repository / "Migrations")
        for app in APPS:
            source = f"SampleData/{app}/source"
            shutil.copytree(REPOSITORY / source, self.repository / source)

    def run_command(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = main(arguments, self.repository)
        return status, output.getvalue() + errors.getvalue()

    def test_what_was_written_passes_the_check_and_equals_the_committed_files(self):
        self.assertEqual(self.run_command()[0], 0)
        status, output = self.run_command("--check")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"\Asamples: \d+ files identical\n\Z")
        for app in APPS:
            paths = [path for path in (REPOSITORY / "SampleData" / app / "container").rglob("*") if path.is_file()]
            self.assertGreaterEqual(len(paths), 2)
            for path in paths:
                copy = self.repository / path.relative_to(REPOSITORY)
                self.assertEqual(copy.read_bytes(), path.read_bytes(), path.name)

    def test_a_second_write_touches_nothing(self):
        self.run_command("trainlog")
        os.utime(self.app / STORE, (1_000_000, 1_000_000))
        status, output = self.run_command("trainlog")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"\Asamples: 0 files written, \d+ already right\n\Z")
        self.assertEqual((self.app / STORE).stat().st_mtime, 1_000_000)

    def test_the_check_names_each_difference_and_changes_nothing(self):
        self.run_command("trainlog")
        store = self.app / STORE
        altered = bytearray(store.read_bytes())
        altered[5000] ^= 1
        store.write_bytes(altered)
        (self.app / "scenarios/empty/container/Library/Preferences/.gitkeep").unlink()
        (self.app / f"{STORE}-wal").write_bytes(b"left by a run in place")
        status, output = self.run_command("--check", "trainlog")
        self.assertEqual(status, 1)
        self.assertIn(f"trainlog/{STORE}: differs at byte 5000", output)
        self.assertIn("Preferences/.gitkeep: missing", output)
        self.assertIn(f"trainlog/{STORE}-wal: extra", output)
        self.assertEqual(store.read_bytes(), bytes(altered))

    def test_writing_mends_files_and_leaves_extra_ones_alone(self):
        self.run_command("trainlog")
        (self.app / STORE).write_bytes(b"")
        extra = self.app / f"{STORE}-wal"
        extra.write_bytes(b"kept")
        status, output = self.run_command("trainlog")
        self.assertEqual(status, 0)
        self.assertIn("samples: 1 files written, ", output)
        self.assertEqual(extra.read_bytes(), b"kept")
        self.assertGreater((self.app / STORE).stat().st_size, 0)

    def test_a_changed_source_is_seen(self):
        self.run_command("trainlog")
        source = self.app / "source/phone/Workout.csv"
        source.write_text(source.read_text(encoding="utf-8").replace("Leg day,", "Leg day!,"), encoding="utf-8")
        status, output = self.run_command("--check", "trainlog")
        self.assertEqual(status, 1)
        self.assertIn(f"{STORE}: differs", output)

    def test_line_endings_of_a_schema_file_do_not_reach_the_store(self):
        self.run_command("trainlog")
        schema = self.repository / "Migrations/trainlog/V0001__create_store.sql"
        schema.write_bytes(schema.read_bytes().replace(b"\n", b"\r\n"))
        self.assertEqual(self.run_command("--check", "trainlog")[0], 0)

    def test_a_wrong_source_fails_with_its_name_and_writes_nothing(self):
        source = self.app / "source/phone/ExerciseSet.csv"
        source.write_text("id\n", encoding="utf-8")
        status, output = self.run_command("trainlog")
        self.assertEqual(status, 1)
        self.assertIn("ExerciseSet.csv:1: the columns are id;", output)
        self.assertFalse((self.app / "container").exists())

    def test_a_name_in_preferences_without_its_record_is_refused(self):
        source = self.repository / "SampleData/deets/source/phone/preferences.json"
        source.write_text(source.read_text(encoding="utf-8").replace("card/kim", "card/kin"), encoding="utf-8")
        status, output = self.run_command("deets")
        self.assertEqual(status, 1)
        self.assertRegex(output, r"preferences\.json: no record of deets is called card/kin\n\Z")
        self.assertFalse((self.repository / "SampleData/deets/container").exists())

    def test_a_wrong_statement_fails_with_the_schema_file_named(self):
        (self.repository / "Migrations/trainlog/V0001__create_store.sql").write_text("CREATE TALE T (a);")
        status, output = self.run_command("trainlog")
        self.assertEqual(status, 1)
        self.assertIn("V0001__create_store.sql: near", output)

    def test_an_unknown_app_is_a_usage_error(self):
        with self.assertRaises(SystemExit) as stopped:
            self.run_command("nosuchapp")
        self.assertEqual(stopped.exception.code, 2)

    def test_a_file_that_is_cut_short_differs_in_size(self):
        self.assertEqual(
            differences({"a": b"1234"}, {"a": b"12"}), ["a: differs in size: 4 bytes made, 2 found"]
        )


if __name__ == "__main__":
    unittest.main()
