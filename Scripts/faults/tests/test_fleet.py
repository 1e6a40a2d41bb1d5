"""Fleets: whose call is whose, what a row says for its container, and what comes of a disturbance."""

from __future__ import annotations

import json
import random
import shutil
import signal
import tempfile
import unittest
from pathlib import Path

from faults import birdlog, reading, recording, scenarios, signals, tracing
from faults.birdlog import CONTAINER, LOCAL, OUTPUT, PREFERENCES
from faults.judgment import Box
from faults.fleet.disturbances import ENDING, GOING_ON, sequence
from faults.fleet.kinds import DAMAGED
from faults.fleet.plan import Plan
from faults.fleet.scene import Scene
from faults.scenario import JOURNAL, Scenario
from faults.scenarios import diagonal, fleet_scenarios
from faults.settings import Settings
from faults.state import State
from faults.tests.containers import make_box

#: 7 starts 8, which is its fork until it becomes a program.
LOG = """\
7  execve("/bin/x", ["x"], 0x7 /* 3 vars */) = 0
7  openat(AT_FDCWD, "/j", O_RDWR|O_CREAT) = 3
7  write(3, ""..., 9) = 9
7  fsync(3) = 0
8  rt_sigaction(SIGHUP, {sa_handler=SIG_DFL}, NULL, 8) = 0
8  execve("/bin/x", ["x", "--worker"], 0x7 /* 3 vars */) = 0
8  rt_sigaction(SIGHUP, {sa_handler=0x5}, NULL, 8) = 0
8  read(0, ""..., 9) = 9
8  read(0, ""..., 9) = 9
8  write(1, ""..., 9) = 9
8  write(5, ""..., 9) = 9
9  write(5, ""..., 9) = 9
8  pwrite64(4, ""..., 9, 0) = 9
7  read(4, ""..., 9) = 9
8  +++ exited with 0 +++
7  write(3, ""..., 9) = 9
7  exit_group(0) = ?
"""


class PointTests(unittest.TestCase):
    CALLS = ("write", "fsync", "pwrite64", "openat")

    def test_a_single_command_has_the_points_of_all_threads(self) -> None:
        self.assertEqual(tracing.points_of(LOG, self.CALLS),
                         {"openat": [1], "write": [1, 2], "fsync": [1], "pwrite64": [1]})

    def test_the_coordinator_is_the_first_thread(self) -> None:
        self.assertEqual(tracing.points_of(LOG, self.CALLS, tracing.COORDINATOR),
                         {"openat": [1], "write": [1, 2], "fsync": [1]})

    def test_of_the_worker_only_what_can_be_no_call_of_the_coordinator(self) -> None:
        self.assertEqual(tracing.points_of(LOG, self.CALLS, tracing.WORKER), {"pwrite64": [1]})
        longer = LOG + "8  write(1, \"\"..., 9) = 9\n"
        self.assertEqual(tracing.points_of(longer, self.CALLS, tracing.WORKER), {"write": [3], "pwrite64": [1]})

    def test_the_worker_begins_where_it_becomes_a_program(self) -> None:
        kept = tracing.without_coordinator(LOG).splitlines()
        self.assertTrue(kept[0].startswith("8  rt_sigaction(SIGHUP, {sa_handler=0x5}"))
        self.assertFalse(any(line.startswith("7") for line in kept))

    def test_signals_of_the_worker_come_after_its_own_handlers(self) -> None:
        found = signals.points_when_ready(LOG, tracing.WORKER)
        self.assertEqual([str(point) for point in found], ["read 2"])

    def test_a_child_that_ends_is_no_signal_that_was_sent(self) -> None:
        log = ("7 100.1 --- SIGCHLD {si_signo=SIGCHLD} ---\n7 100.5 --- SIGINT {si_signo=SIGINT} ---\n"
               "7 101.5 exit_group(130) = ?\n")
        self.assertEqual(signals.seconds_to_end(log), 1.0)


class ProcessTests(unittest.TestCase):
    MADE = ["7 clone3({flags=CLONE_VM|CLONE_VFORK, exit_signal=SIGCHLD}, 88) = 8",
            "8 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD} => {parent_tid=[9]}, 88) = 9",
            "9 clone({flags=CLONE_FILES|CLONE_THREAD}) = 10"]

    def test_threads_are_of_the_process_that_made_them(self) -> None:
        self.assertEqual(recording.processes_of(self.MADE), {"9": "8", "10": "8"})

    def test_two_processes_have_files_of_their_own_by_the_same_number(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place).resolve()
            (root / "c").mkdir()
            disk = recording.Disk(root, ("c",))
            follow = recording.Recording(disk, str(root), "strict").follow
            for process, name in (("7", "c/one"), ("8", "c/other")):
                text = "".join(f"\\x{byte:02x}" for byte in name.encode())
                follow("openat", f'AT_FDCWD, "{text}", O_RDWR|O_CREAT|O_EXCL', 3, process)
            follow("write", '3, "\\x61", 1', 1, "7")
            follow("write", '3, "\\x62", 1', 1, "8")
            self.assertEqual({name: disk.live[name].content() for name in ("c/one", "c/other")},
                             {"c/one": b"a", "c/other": b"b"})


class ReportedTests(unittest.TestCase):
    """A box of a fleet whose journal is written by hand."""

    @classmethod
    def setUpClass(cls) -> None:
        base = Path(tempfile.mkdtemp(prefix="faults-test-"))
        cls.addClassCleanup(shutil.rmtree, base, ignore_errors=True)
        single = make_box(base)
        cls.box = Box.__new__(Box)
        cls.box.__dict__ |= single.__dict__ | {"scenario": fleet_scenarios()[0]}
        cls.single = single

    def setUp(self) -> None:
        self.folder = self.single.copy()
        self.addCleanup(self.single.discard, self.folder)

    def write(self, entry: dict, report: dict | None = None) -> None:
        lines = [{"messageType": "fleet"}, {"messageType": "container", "entry": {"container": "."} | entry}
                 | ({"report": report} if report else {})]
        (self.folder / OUTPUT / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_a_failed_row_is_told_as_a_single_command_tells_it(self) -> None:
        self.write({"verdict": "failed", "error": {"code": 74, "message": "Can't write x.", "hint": "Free it."}})
        self.assertEqual(self.box.reported(self.folder, 1, ""),
                         (74, "godwit: error: Can't write x.\nhint: Free it.\n"))
        self.write({"verdict": "failed", "error": {"code": 143, "message": "Cancelled.", "hint": "Again."}},
                   {"copy": {"flag": {"isSet": True}}})
        self.assertTrue(self.box.reported(self.folder, 1, "")[1].startswith(f"flag {birdlog.FLAG} set\n"))

    def test_only_a_coordinator_ends_a_fleet(self) -> None:
        coordinator, worker = self.box.aimed(tracing.COORDINATOR, tracing.WORKER)
        self.assertEqual(coordinator.faults_of_fleet(143) + worker.faults_of_fleet(1), [])
        self.assertEqual(self.box.faults_of_fleet(74), [])
        self.assertTrue(worker.faults_of_fleet(143))

    def test_everything_else_stays_what_it_is(self) -> None:
        self.assertEqual(self.box.reported(self.folder, 1, "x"), (1, "x"))
        self.write({"verdict": "failed", "error": {"code": 74, "message": "m", "hint": "h"}})
        self.assertEqual(self.box.reported(self.folder, 143, "x"), (143, "x"))
        self.assertEqual(self.single.reported(self.folder, 1, "x"), (1, "x"))

    def test_a_journal_that_lies_is_found(self) -> None:
        self.write({"verdict": "completed"})
        found = self.box._faults_of_journal(self.folder)
        self.assertTrue(any("the journal says that it is done, and cloud differs" in fault for fault in found), found)
        self.write({"verdict": "failed", "error": {"code": 74, "message": "m"}})
        self.assertEqual(self.box._faults_of_journal(self.folder), [])

    def test_a_fleet_is_disturbed_by_its_two_kinds_of_processes(self) -> None:
        aims = (tracing.COORDINATOR, tracing.WORKER)
        self.assertEqual([box.aim for box in self.box.aimed(*aims)], list(aims))
        self.assertTrue(self.box.aimed(*aims)[1].name.endswith(", its worker"))
        self.assertEqual(self.single.aimed(*aims), [self.single])


class ScenarioTests(unittest.TestCase):
    def test_a_fleet_is_given_the_containers_own_folder(self) -> None:
        scenario = next(each for each in fleet_scenarios() if each.command == "export --all")
        words = scenario.argv(Path("godwit"), Path("/box"))
        self.assertEqual(words[:4], ["godwit", "export", "--all", "/box/c"])
        self.assertNotIn("-c", words)
        self.assertEqual(words[words.index("--into") + 1], "out/kept")
        self.assertEqual(words[words.index("--journal") + 1], "/box/out/journal.jsonl")

    def test_a_quick_sweep_takes_each_command_once(self) -> None:
        settings = Settings(Path("x"), Path("y"), quick=True)
        chosen = [each.command for each in scenarios.swept(settings) if each.is_fleet]
        self.assertEqual(sorted(chosen), ["export --all", "run --all"])
        self.assertEqual(sorted(each.command for each in diagonal(fleet_scenarios())), sorted(chosen))


class DisturbanceTests(unittest.TestCase):
    ROW = {"entry": {"container": "000/c", "verdict": "failed",
                     "error": {"message": "The worker died of signal 9 (Killed) at this container.", "code": 70}}}

    def disturbance(self, name: str):
        return next(each for each in (*ENDING, *GOING_ON) if each.name == name)

    def test_a_killed_worker_costs_one_container(self) -> None:
        killed = self.disturbance("SIGKILL to a worker")
        self.assertEqual(killed.faults(1, "", [self.ROW]), [])
        self.assertEqual(killed.faults(1, "", []), [])
        self.assertIn("2 containers failed", killed.faults(1, "", [self.ROW, self.ROW])[0])
        self.assertIn("exits 0", killed.faults(0, "", [])[0])

    def test_a_row_says_what_happened(self) -> None:
        self.assertIn("a row says", self.disturbance("SIGTERM to a worker").faults(1, "", [self.ROW])[0])

    def test_what_only_waits_costs_nothing(self) -> None:
        stopped = self.disturbance("a worker stopped for a while")
        self.assertIn("1 containers failed", stopped.faults(1, "", [self.ROW])[0])
        self.assertEqual(self.disturbance("SIGKILL to all").faults(-signal.SIGKILL, "", []), [])

    def test_processes_that_are_left_are_a_fault(self) -> None:
        self.assertEqual(ENDING[0].faults(None, "", []), ["a process is left"])

    def test_each_fleet_comes_through_in_the_end(self) -> None:
        plan, last = Plan.quick(1), set()
        for number in range(plan.rounds):
            found = sequence(number, plan.disturbances, random.Random(number))
            self.assertTrue(set(found[:-1]) <= set(ENDING))
            last.add(found[-1].name)
        self.assertEqual(last, {each.name for each in GOING_ON})


class HandMadeKinds:
    """Kinds whose end is the beginning, with a box that ran nothing."""

    def __init__(self, base: Path) -> None:
        good = birdlog.build(base / "good", birdlog.Variant("existing", "delete"))
        damaged = birdlog.build(base / DAMAGED, birdlog.Variant("existing", "delete"))
        (damaged / CONTAINER / LOCAL).write_bytes(b"no store")
        self.folders = {"good": good, DAMAGED: damaged}
        box = Box.__new__(Box)
        box.scenario, box.template = Scenario("run", birdlog.Variant("existing", "delete")), good
        box.before = box.after = State.of(good, None)
        box.sources = box._sources(good)
        self.boxes = {"good": box}
        self.untouched = reading.listing(damaged / CONTAINER)


class SceneTests(unittest.TestCase):
    def setUp(self) -> None:
        base = Path(tempfile.mkdtemp(prefix="faults-test-"))
        self.addCleanup(shutil.rmtree, base, ignore_errors=True)
        self.scene = Scene.build(base / "scene", HandMadeKinds(base), 3)

    def place(self, name: str) -> Path:
        return self.scene.root / "fleet" / name

    def test_what_is_as_it_should_be(self) -> None:
        self.assertEqual(self.scene.names, {"000/c", "001/c", "002/c"})
        self.assertEqual(self.scene.failing, {"001/c"})
        self.assertEqual(self.scene.copy(self.scene.root.with_name("copy")).faults_at_end(), [])

    def test_what_differs_from_a_single_run(self) -> None:
        preferences = self.place("000/c") / PREFERENCES
        preferences.write_bytes(preferences.read_bytes().replace(b"imperial", b"Imperial"))
        (self.place("002/c") / birdlog.CLOUD).unlink()
        self.assertIn("002/c (good): Library/Application Support/BirdlogCloud.store is gone", self.scene.faults_at_end())
        (self.place("002/c") / birdlog.CLOUD).write_bytes(b"no store")
        (self.place("001/c") / LOCAL).write_bytes(b"no store!")
        found = "; ".join(self.scene.faults_at_end())
        for text in ("000/c (good): preferences differs", "001/c is damaged, and was touched",
                     "BirdlogCloud.store is damaged"):
            self.assertIn(text, found)

    def test_two_runs_that_say_they_did_it(self) -> None:
        import sqlite3

        for count, faults in ((1, 0), (2, 1)):
            with sqlite3.connect(self.place("000/c") / LOCAL) as store:
                store.execute("CREATE TABLE IF NOT EXISTS godwit_run(command, outcome)")
                store.execute("INSERT INTO godwit_run VALUES ('run', 'done')")
            store.close()
            self.assertEqual(len(self.scene.faults_of("000/c")), faults, count)

    def test_scratch_that_is_left(self) -> None:
        (self.scene.root / "tmp" / "godwit-scratch-7-1").mkdir()
        self.assertIn("left behind: tmp/godwit-scratch-7-1", self.scene.faults_at_end())


if __name__ == "__main__":
    unittest.main()
