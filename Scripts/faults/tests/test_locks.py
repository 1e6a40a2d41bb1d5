"""What the parts about locks conclude from traces, and that they find what an app has lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import unittest
from pathlib import Path

from faults.birdlog import CLOUD, LOCAL, PREFERENCES, Variant
from faults.locks import appwrites, heldstores, liveapp
from faults.locks.commands import WRITING, Command
from faults.locks.descriptors import dropped_locks
from faults.locks.heldstores import Held
from faults.pausing import container_lock
from faults.scenario import Scenario
from faults.tests.containers import Finished, make_box
from faults.tracing import Ending

FOLDER = Path("/box")
TAKEN = "7 flock(3</box/c>, LOCK_EX|LOCK_NB) = 0\n"


class ContainerLockTests(unittest.TestCase):
    def test_it_is_not_held_before_it_is_asked_for_nor_where_it_was_refused(self) -> None:
        refused = "7 flock(3</box/c>, LOCK_EX|LOCK_NB) = -1 EAGAIN (Resource temporarily unavailable)\n"
        for trace in ("", refused, "7 flock(3</box/tmp/godwit-scratch-0-1>, LOCK_EX|LOCK_NB) = 0\n"):
            self.assertEqual(container_lock(trace, FOLDER / "c"), "none")

    def test_it_is_held_until_it_is_given_back_or_its_descriptor_closed(self) -> None:
        self.assertEqual(container_lock(TAKEN, FOLDER / "c"), "exclusive")
        self.assertEqual(container_lock(TAKEN.replace("EX", "SH"), FOLDER / "c"), "shared")
        self.assertEqual(container_lock(TAKEN + "7 close(4</box/c>) = 0\n", FOLDER / "c"), "exclusive")
        self.assertEqual(container_lock(TAKEN + "7 close(3</box/c>) = 0\n", FOLDER / "c"), "none")
        self.assertEqual(container_lock(TAKEN + "7 flock(4</box/c>, LOCK_UN) = 0\n", FOLDER / "c"), "exclusive")
        self.assertEqual(container_lock(TAKEN + "7 flock(3</box/c>, LOCK_UN) = 0\n", FOLDER / "c"), "none")

    def test_who_waits_for_whom(self) -> None:
        reader, looker = Command("verify", "shared"), Command("status", "none")
        self.assertTrue(WRITING[0].waits_for("shared") and WRITING[0].waits_for("exclusive"))
        self.assertTrue(reader.waits_for("exclusive"))
        self.assertFalse(reader.waits_for("shared") or looker.waits_for("exclusive") or WRITING[0].waits_for("none"))


class DroppedLocksTests(unittest.TestCase):
    READ = "7 fcntl(4</box/c/a.store>, F_SETLK, {l_type=F_RDLCK, l_whence=SEEK_SET, l_start=1073741826, l_len=510}) = 0"
    CLOSE_OTHER = "7 close(5</box/c/a.store>) = 0"

    def test_a_descriptor_that_is_closed_beside_a_lock_is_found(self) -> None:
        self.assertEqual(len(dropped_locks([self.READ, self.CLOSE_OTHER], FOLDER)), 1)

    def test_it_is_none_after_the_lock_was_given_back_or_its_own_descriptor_closed(self) -> None:
        back = "7 fcntl(4</box/c/a.store>, F_SETLK, {l_type=F_UNLCK, l_whence=SEEK_SET, l_start=0, l_len=0}) = 0"
        half = "7 fcntl(4</box/c/a.store>, F_SETLK, {l_type=F_UNLCK, l_start=1073741826, l_len=510} <unfinished ...>"
        for line in (back, half, "7 close(4</box/c/a.store>) = 0"):
            self.assertEqual(dropped_locks([self.READ, line, self.CLOSE_OTHER], FOLDER), [])

    def test_a_lock_that_was_refused_and_another_file_do_not_count(self) -> None:
        refused = self.READ.replace("= 0", "= -1 EAGAIN")
        self.assertEqual(dropped_locks([refused, self.CLOSE_OTHER], FOLDER), [])
        self.assertEqual(dropped_locks([self.READ, "7 close(5</box/c/b.store>) = 0"], FOLDER), [])


class HeldStoreTests(unittest.TestCase):
    def is_kept_out(self, command: str, store: str, hold: str, journal: str) -> bool:
        lock = "exclusive" if command in ("run", "copy", "migrate", "dedupe") else "shared"
        return Held(Command(command, lock), Variant("existing", journal), store, hold).is_kept_out

    def test_the_table_follows_sqlites_rules(self) -> None:
        expected = {
            ("run", LOCAL, "writing", "wal"): True, ("copy", LOCAL, "writing", "delete"): True,
            ("migrate", CLOUD, "writing", "delete"): False, ("migrate", CLOUD, "exclusive", "delete"): True,
            ("export", LOCAL, "writing", "delete"): False, ("export", LOCAL, "exclusive", "delete"): True,
            ("export", LOCAL, "exclusive", "wal"): False, ("run", LOCAL, "reading", "delete"): True,
            ("run", LOCAL, "reading", "wal"): False, ("copy", LOCAL, "reading", "delete"): False,
            ("plan", LOCAL, "exclusive", "delete"): True, ("plan", LOCAL, "exclusive", "wal"): False,
        }
        for case, is_kept_out in expected.items():
            with self.subTest(case):
                self.assertEqual(self.is_kept_out(*case), is_kept_out)
        self.assertTrue(all(case[2] in heldstores.HOLDS for case in expected))


class AppWriteTests(unittest.TestCase):
    """The judgement of a live app's write, on containers where everything was done right but for one thing."""

    def setUp(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="faults-test-"))
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)
        self.box = make_box(self.base)
        self.end = Finished(self.box)
        self.write = liveapp.Write(done=True, before_flag=True)

    def insert(self, store: str) -> None:
        connection = sqlite3.connect(self.end.container / store, isolation_level=None)
        liveapp.insert(connection)
        connection.close()

    def faults(self, target: str = LOCAL, status: int = 0) -> list[str]:
        scenario = Scenario("copy", Variant("absent", "delete"))
        return appwrites.judge(self.box, appwrites.Plan(scenario, target), self.end.folder, self.write,
                               Ending(status, "", "", True))

    def test_what_was_written_and_copied_is_right(self) -> None:
        self.insert(LOCAL)
        self.insert(CLOUD)
        faults = appwrites.faults_of_app(appwrites.Plan(self.box.scenario, LOCAL), self.end.folder, self.write)
        self.assertEqual(faults, [])

    def test_what_the_app_wrote_is_gone(self) -> None:
        self.insert(CLOUD)
        self.assertEqual(self.faults(), ["what the app wrote is gone"])

    def test_half_of_what_the_app_wrote_is_gone(self) -> None:
        self.insert(LOCAL)
        self.end.write(LOCAL, "DELETE FROM Sighting WHERE id = 'sighting-app'")
        self.assertIn("what the app wrote is gone", self.faults())

    def test_the_flag_is_set_though_the_records_are_not_in_the_cloud_store(self) -> None:
        self.insert(LOCAL)
        self.assertIn("the flag is set though the app's records are not in the cloud store", self.faults())

    def test_records_that_came_after_the_flag_need_not_be_there(self) -> None:
        self.insert(LOCAL)
        self.write.before_flag = False
        self.assertFalse(any("flag" in fault for fault in self.faults()))

    def test_a_key_of_the_preferences_that_is_gone(self) -> None:
        self.assertEqual(self.faults(PREFERENCES), ["what the app wrote to the preferences is gone"])

    def test_another_record_that_is_gone_meanwhile(self) -> None:
        self.insert(LOCAL)
        self.insert(CLOUD)
        self.end.write(CLOUD, "DELETE FROM Species WHERE id = 'species-01'")
        self.assertTrue(any("cloud differs" in fault for fault in self.faults()))

    def test_an_exit_code_that_is_neither_success_nor_busy(self) -> None:
        self.insert(LOCAL)
        self.insert(CLOUD)
        self.assertTrue(any("it exits 65" in fault for fault in self.faults(status=65)))

    def test_a_flag_beside_75(self) -> None:
        self.insert(LOCAL)
        self.insert(CLOUD)
        self.assertEqual(self.faults(status=75), ["it exits 75 with the flag set"])

    def test_half_a_transaction_in_an_export(self) -> None:
        def document(*keys: str) -> bytes:
            records = [{"id": key} for key in keys]
            return json.dumps({"entities": [{"name": "Species", "key": "id", "records": records}]}).encode()

        self.assertEqual(appwrites.exported_keys(document("a")), {("Species", "a")})
        self.end.product.write_bytes(document("species-app"))
        self.assertTrue(any("half of a transaction" in fault
                            for fault in appwrites.faults_of_export(self.box, self.end.folder)))


if __name__ == "__main__":
    unittest.main()
