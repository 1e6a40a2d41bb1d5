"""The generated stores are the same for everybody; commands name paths and tables as they are."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import FrameType

from Benchmarks import copying, exporting, limits, trainlog
from Benchmarks.measuring import Work, discard, prepare, run
from Benchmarks.setting import Setting, line, records, text

SCALE = 0.0002


class Entries:
    """Counts entries, in the place of the program's function."""

    def __init__(self) -> None:
        self.count = 0

    def step(self, *values: object) -> None:
        self.count += len(values) > 1

    def finalize(self) -> int:
        return self.count


class StoreTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="bench tests ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_same_scale_gives_the_same_records(self) -> None:
        said = []
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            store = trainlog.container(self.folder / name, SCALE) / trainlog.STORE
            connection = sqlite3.connect(store)
            said.append("\n".join(repr(row) for table in ("Workout", "ExerciseSet")
                                  for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid")))
            connection.close()
        self.assertEqual(*said)
        # Another digest means another store: change KIND with it.
        self.assertEqual((trainlog.KIND, hashlib.sha256(said[0].encode()).hexdigest()[:16]), (2, "2204ec7bcb80c7e3"))

    def test_every_set_belongs_to_a_workout_and_keys_are_unique(self) -> None:
        store = trainlog.container(self.folder, SCALE) / trainlog.STORE
        connection = sqlite3.connect(store)
        self.addCleanup(connection.close)
        for query, count in (("SELECT count(DISTINCT id) FROM Workout", 20),
                             ("SELECT count(DISTINCT id) FROM ExerciseSet", 200),
                             ("SELECT count(*) FROM ExerciseSet JOIN Workout ON Workout.id = workoutId", 200),
                             ("SELECT count(DISTINCT position) FROM ExerciseSet", 10),
                             ("SELECT count(*) FROM sqlite_schema WHERE type = 'index'", 5)):
            self.assertEqual(connection.execute(query).fetchone()[0], count, query)
        self.assertEqual(records(trainlog.container(self.folder, SCALE)), 220)

    def test_the_log_of_the_store_in_wal_mode_has_records_the_store_lacks(self) -> None:
        plain, wal = trainlog.container(self.folder, SCALE), trainlog.wal_container(self.folder, SCALE)
        names = sorted(path.name for path in (wal / trainlog.STORE).parent.iterdir())
        self.assertEqual(names, ["TrainLog.store", "TrainLog.store-wal"])
        totals = []
        for container in (plain, wal):
            connection = sqlite3.connect(container / trainlog.STORE)
            totals.append(connection.execute("SELECT sum(reps) FROM ExerciseSet").fetchone()[0])
            connection.close()
        self.assertEqual(totals[1] - totals[0], 2)

    @unittest.skipUnless(shutil.which("sqlite3"), "the sqlite3 shell is not here")
    def test_yardsticks_make_what_they_are_said_to(self) -> None:
        container = trainlog.container(self.folder, SCALE)
        store, made = container / trainlog.STORE, self.folder / "it's made"
        for command in (copying.inserting(store, made), copying.dumping(store, made)):
            subprocess.run(["bash", "-c", command], check=True)
            connection = sqlite3.connect(made)
            self.assertEqual(connection.execute("SELECT count(*) FROM ExerciseSet").fetchone()[0], 200)
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            connection.close()
            made.unlink()
        at = Setting(Path("godwit"), container, container, self.folder, None)
        subprocess.run(["bash", "-c", limits.inserted(at, store, made)], check=True)
        with sqlite3.connect(f"file:{made}?mode=ro", uri=True) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM ExerciseSet").fetchone()[0], 200)
        connection.close()
        made.unlink()

    def test_parts_in_parallel_all_run_and_fail_if_one_fails(self) -> None:
        store = trainlog.container(self.folder, SCALE) / trainlog.STORE
        document, spooled, made = (self.folder / name for name in ("a document", "spooled", "made"))
        at = Setting(Path("true"), trainlog.container(self.folder, SCALE), store, self.folder, None)
        document.write_bytes(b"{}")
        if shutil.which("openssl"):
            subprocess.run(["bash", "-c", limits.export_in_parallel(at, document, spooled, made)], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual((spooled.read_bytes(), made.read_bytes()), (b"{}", b"{}"))
            made.unlink()
        subprocess.run(["bash", "-c", limits.copy_in_parallel(at, made)], check=True, stdout=subprocess.DEVNULL)
        with sqlite3.connect(f"file:{made}?mode=ro", uri=True) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM ExerciseSet").fetchone()[0], 200)
        connection.close()
        for one, other in (("false && true", "true"), ("true", "false && true")):
            ended = subprocess.run(["bash", "-c", f"set -e; {limits.together(one, other)}; echo went on"], capture_output=True)
            self.assertEqual((ended.returncode, ended.stdout), (1, b""))

    def test_limits_look_at_everything(self) -> None:
        store = trainlog.container(self.folder, SCALE) / trainlog.STORE
        connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        for in_key_order in (False, True):
            workouts, sets = (connection.execute(query).fetchone()
                              for query in limits.scan(store, in_key_order).split(";")[:2])
            self.assertEqual((workouts[0], sets[0], len(workouts), len(sets)), (20, 200, 7, 9))
        connection.create_aggregate("entries", -1, Entries)
        found = [connection.execute(query).fetchone()[0] for query in limits.scan_of_indexes(store).split(";")[:-1]]
        self.assertEqual(found, [200, 200, None, None, 20])
        connection.close()

    @unittest.skipUnless(shutil.which("sqlite3"), "the sqlite3 shell is not here")
    def test_a_store_that_has_half_gets_the_rest(self) -> None:
        container = trainlog.container(self.folder, SCALE)
        row = copying.merging(Setting(Path("godwit"), container, container, self.folder, None))
        cloud, theirs = row.ours.product, row.yardstick.product
        assert cloud and theirs
        for command, made, count in ((row.ours.before, cloud, 100), (row.yardstick.before, theirs, 100),
                                     (row.yardstick.command, theirs, 200)):
            subprocess.run(["bash", "-c", command], check=True)
            connection = sqlite3.connect(made)
            self.assertEqual(connection.execute("SELECT count(*) FROM ExerciseSet").fetchone()[0], count)
            connection.close()

    def test_copies_are_made_anew_or_cleared(self) -> None:
        container = trainlog.container(self.folder, SCALE)
        at = Setting(Path("godwit"), container, container, self.folder, None)
        copy = self.folder / "copied"
        for _ in range(2):
            subprocess.run(["bash", "-c", at.cleared("copied")], check=True)
            self.assertTrue((copy / trainlog.STORE).exists())
            self.assertFalse((copy / "Library/Preferences").exists())
            (copy / "Library/Preferences").mkdir()
        (copy / "more").mkdir()
        subprocess.run(["bash", "-c", at.restored("copied")], check=True)
        self.assertFalse((copy / "more").exists())

    def test_every_row_has_a_title_of_its_own(self) -> None:
        at = Setting(Path("/x/godwit"), self.folder, self.folder, self.folder, Path("/x/sqlite-utils"))
        rows = exporting.rows(at) + copying.rows(at)
        self.assertEqual(len({row.title for row in rows}), len(rows))
        self.assertEqual(sum(row.aim is not None for row in rows), 6)


@unittest.skipUnless(shutil.which("time"), "time(1) is not here")
class CommandTests(unittest.TestCase):
    def test_words_are_quoted(self) -> None:
        self.assertEqual(line(["a b", Path("/c'd"), "e"]), "'a b' '/c'\"'\"'d' e")
        self.assertEqual(text("it's"), "'it''s'")

    def test_memory_is_that_of_the_command_and_not_of_what_measures_it(self) -> None:
        ballast = bytearray(b"x") * (96 << 20)
        self.assertLess(run("true").mebibytes, 32)
        self.assertGreater(len(ballast), 0)

    def test_a_command_that_fails_ends_the_benchmark(self) -> None:
        with self.assertRaises(SystemExit) as failed:
            run("echo what is wrong >&2; exit 3")
        self.assertIn("failed with 3", str(failed.exception))
        self.assertIn("what is wrong", str(failed.exception))

    def test_who_stops_the_benchmark_stops_the_command(self) -> None:
        heard: list[int] = []

        def stop(number: int, frame: FrameType | None) -> None:
            # Only once it waits for the command: the signal may be quicker than the start of a process.
            if frame and frame.f_code is run.__code__ and "stream" in frame.f_locals and not heard:
                heard.append(number)
                raise InterruptedError

        before = signal.signal(signal.SIGUSR1, stop)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        with tempfile.TemporaryDirectory() as folder:
            stopped = Path(folder) / "stopped"
            with self.assertRaises(InterruptedError):
                run(f"trap 'touch {stopped}; exit' TERM; while kill -USR1 {os.getpid()}; do sleep 0.01; done")
            self.assertTrue(stopped.exists())

    def test_the_product_goes_before_and_after(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            product, state = Path(folder) / "product", Path(folder) / "state"
            work = Work("work", "", product, before=f"echo >> {state}", reads=())
            product.write_text("left behind")
            prepare(work)
            self.assertFalse(product.exists())
            self.assertEqual(state.read_text(), "\n")
            product.write_text("made")
            discard(work)
            self.assertFalse(product.exists())
