"""The judge must find fault: each promise is broken by hand, and it has to say which."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from faults.birdlog import CLOUD, CONTAINER, FLAG, LOCAL, PREFERENCES
from faults.judgment import Box
from faults.state import State
from faults.tests.containers import Finished, make_box


class JudgementTests(unittest.TestCase):
    box: Box
    base: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.base = Path(tempfile.mkdtemp(prefix="faults-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        cls.box = make_box(cls.base)

    def setUp(self) -> None:
        self.end = Finished(self.box)
        self.addCleanup(self.box.discard, self.end.folder)

    def assert_found(self, text: str, faults: list[str] | None = None) -> None:
        found = self.box.faults_at_end(self.end.folder) if faults is None else faults
        self.assertTrue(any(text in fault for fault in found), f"'{text}' is not among {found}")

    def assert_found_whenever(self, text: str) -> None:
        self.assert_found(text, self.box.faults_whenever(self.end.folder))

    def test_what_is_right_is_not_found_fault_with(self) -> None:
        self.assertEqual(self.box.faults_at_end(self.end.folder), [])
        self.assertEqual(self.box.faults_whenever(self.box.template), [])

    def test_a_lost_row_in_the_local_store(self) -> None:
        self.end.write(LOCAL, "DELETE FROM Species WHERE id = 'species-05'")
        self.assert_found_whenever("Birdlog.store: records of Species are gone")
        self.assert_found("local differs")

    def test_a_lost_row_in_the_cloud_store(self) -> None:
        self.end.write(CLOUD, "DELETE FROM Sighting WHERE id = 'sighting-020'")
        self.assert_found("cloud differs")
        self.assert_found_whenever("flag though 1 records of Sighting are not in the cloud store")

    def test_a_row_that_was_set_aside_is_not_lost_but_differs(self) -> None:
        self.end.write(CLOUD, "INSERT INTO godwit_removed VALUES ('Species', 'x', '{}', 'newest', 'y')")
        self.assertEqual(self.box.faults_whenever(self.end.folder), [])
        self.assert_found("removed differs")

    def test_the_same_row_twice(self) -> None:
        self.end.write(CLOUD, "INSERT INTO Species SELECT * FROM Species WHERE id = 'species-01'")
        self.assert_found("cloud differs")

    def test_values_of_another_type(self) -> None:
        for value in ("'1000'", "1000.0", "x'31303030'", "NULL"):
            with self.subTest(value):
                end = Finished(self.box)
                end.write(CLOUD, f"UPDATE Sighting SET seen = {value} WHERE id = 'sighting-001'")
                # A column of integers takes a text of digits for a number; an app's would not, and neither does this.
                if value in ("'1000'", "1000.0"):
                    end.write(CLOUD, "CREATE TABLE Other AS SELECT * FROM Sighting; DROP TABLE Sighting;"
                                     "CREATE TABLE Sighting(id, speciesId, note, photo, seen, updatedAt);"
                                     "INSERT INTO Sighting SELECT * FROM Other; DROP TABLE Other;"
                                     f"UPDATE Sighting SET seen = {value} WHERE id = 'sighting-001'")
                found = State.of(end.folder, None).differences(self.box.after)
                self.assertIn("cloud", found)
                self.box.discard(end.folder)

    def test_a_text_that_became_a_blob_of_the_same_bytes(self) -> None:
        self.end.write(CLOUD, "UPDATE Species SET name = CAST(name AS BLOB) WHERE id = 'species-01'")
        self.assert_found("cloud differs")

    def test_a_flag_without_receipt(self) -> None:
        self.end.write(CLOUD, "DELETE FROM godwit_receipt")
        self.assert_found_whenever("flag without receipt")
        self.assert_found("receipts differs")

    def test_a_flag_without_a_cloud_store(self) -> None:
        (self.end.container / CLOUD).unlink()
        self.assert_found_whenever("flag without a cloud store")

    def test_a_flag_that_is_missing_at_the_end(self) -> None:
        self.end.restore(PREFERENCES)
        self.assertEqual(self.box.faults_whenever(self.end.folder), [])
        self.assert_found("flag differs")

    def test_a_flag_that_is_no_boolean(self) -> None:
        self.end.set_key(FLAG, 1)
        self.assert_found("flag differs")

    def test_another_key_of_the_preferences(self) -> None:
        self.end.set_key("reminderHour", 7)
        self.assert_found_whenever("other keys of the preferences differ")

    def test_a_key_of_another_type(self) -> None:
        self.end.set_key("reminderHour", 6.0)
        self.assert_found_whenever("other keys of the preferences differ")

    def test_a_changed_byte_of_a_source(self) -> None:
        path = self.end.container / LOCAL
        status, content = path.stat(), bytearray(path.read_bytes())
        content[27] ^= 1
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assert_found_whenever("was touched, though only read")

    def test_a_changed_time_of_a_source(self) -> None:
        os.utime(self.end.container / LOCAL)
        self.assert_found_whenever("was touched, though only read")

    def test_a_changed_mode_of_a_source(self) -> None:
        (self.end.container / LOCAL).chmod(0o640)
        self.assert_found_whenever("was touched, though only read")

    def test_a_new_file_beside_a_source(self) -> None:
        for suffix in ("-shm", "-wal", "-journal"):
            with self.subTest(suffix):
                path = Path(str(self.end.container / LOCAL) + suffix)
                path.write_bytes(b"")
                self.assert_found_whenever(f"Birdlog.store{suffix} was touched")
                path.unlink()

    def test_a_store_that_is_gone(self) -> None:
        (self.end.container / LOCAL).unlink()
        self.assert_found_whenever("Birdlog.store is gone")

    def test_preferences_that_are_gone(self) -> None:
        (self.end.container / PREFERENCES).unlink()
        self.assert_found_whenever("is gone")

    def test_a_temporary_file_that_is_left(self) -> None:
        for name in (f"{CONTAINER}/Library/.godwit-tmp-1", "out/.godwit-out-2", "tmp/godwit-scratch-0-3/x"):
            with self.subTest(name):
                path = self.end.folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(b"")
                self.assert_found("left behind")
                path.unlink()
        shutil.rmtree(self.end.folder / "tmp" / "godwit-scratch-0-3")
        self.assertEqual(self.box.faults_at_end(self.end.folder), [])

    def test_a_journal_that_is_left(self) -> None:
        Path(str(self.end.container / CLOUD) + "-journal").write_bytes(b"x")
        self.assert_found("left behind")

    def test_a_damaged_store(self) -> None:
        for store in (LOCAL, CLOUD):
            with self.subTest(store):
                end = Finished(self.box)
                end.damage(store)
                for faults in (self.box.faults_whenever(end.folder), self.box.faults_at_end(end.folder)):
                    self.assert_found(f"{Path(store).name} is damaged", faults)
                self.box.discard(end.folder)

    def test_an_output_that_is_not_whole(self) -> None:
        whole = self.end.product.read_bytes()
        self.end.product.write_bytes(whole[:-1])
        self.assert_found_whenever("the output is there but not whole")
        self.assert_found("product differs")

    def test_an_output_that_is_missing_at_the_end(self) -> None:
        self.end.product.unlink()
        self.assertEqual(self.box.faults_whenever(self.end.folder), [])
        self.assert_found("product differs")

    def test_a_command_that_met_an_obstacle(self) -> None:
        good = f"godwit: error: Can't write {PREFERENCES}. (full)\nhint: Free some space and go on.\n"

        def found(code: int, stderr: str) -> list[str]:
            done = subprocess.CompletedProcess([], code, "", stderr)
            return self.box.faults_of_end(self.end.folder, done, {74})

        self.assertEqual(found(0, "") + found(74, good), [])
        self.assert_found("it exits 65, not 0 or 74", found(65, good))
        self.assert_found("0 error lines", found(74, ""))
        self.assert_found("names no file", found(74, good.replace(PREFERENCES, "it")))
        (self.end.folder / "out" / ".godwit-out-1").write_bytes(b"")
        self.assert_found("left behind", found(74, good))
        self.end.product.unlink()
        self.assert_found("product differs", found(0, ""))

    def test_a_run_that_goes_on_failing(self) -> None:
        (self.end.folder / "out").rename(self.end.folder / "elsewhere")
        self.assert_found("the run afterwards exits", self.box.run_again(self.end.folder))

    def test_a_command_that_changes_nothing_is_no_scenario(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "changes nothing"):
            make_box(self.base, prepare=lambda scenario, binary, folder: _run_once(scenario, binary, folder))


def _run_once(scenario: object, binary: Path, folder: Path) -> None:
    from faults.scenario import execute

    execute([binary, "copy", "-c", folder / CONTAINER, "-o", folder / "out" / "birdlog.json"], folder, check=True)


if __name__ == "__main__":
    unittest.main()
