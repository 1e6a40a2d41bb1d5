"""Processes are found by their environment, and commands have an end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest
import uuid
from pathlib import Path

from .. import processes
from ..bounds import Broken, said, until


@unittest.skipUnless(Path("/proc/self/environ").exists(), "there is no /proc here")
class ProcessTests(unittest.TestCase):
    def setUp(self) -> None:
        self.mark = {"FLEET_TEST": f"a mark of {uuid.uuid4()}"}
        self.children: list[subprocess.Popen] = []

    def tearDown(self) -> None:
        for child in self.children:
            child.kill()
            child.wait()

    def child(self, code: str = "print(flush=True); import time; time.sleep(60)", **more: str) -> subprocess.Popen:
        child = subprocess.Popen(
            [sys.executable, "-c", code], env=dict(os.environ) | self.mark | more, stdout=subprocess.PIPE)
        self.children.append(child)
        assert child.stdout
        child.stdout.readline()
        child.stdout.close()
        return child

    def test_only_those_that_have_all_of_it(self) -> None:
        one, two = self.child(TASK="1"), self.child(TASK="2")
        self.assertEqual(sorted(processes.having(self.mark)), sorted([one.pid, two.pid]))
        self.assertEqual(processes.having(self.mark | {"TASK": "2"}), [two.pid])
        self.assertEqual(processes.having({"FLEET_TEST": "another"}), [])

    def test_ending_all_of_them(self) -> None:
        one = self.child()
        deaf = "import signal; signal.signal(15, signal.SIG_IGN); print(flush=True); import time; time.sleep(60)"
        other = self.child(deaf)
        self.assertEqual(processes.end(self.mark, signal.SIGTERM, 0.5), 2)
        self.assertEqual((one.wait(5), other.poll()), (-15, None))
        self.assertEqual(processes.end(self.mark, signal.SIGKILL, 5), 1)
        self.assertEqual(other.wait(5), -9)
        self.assertEqual(processes.end(self.mark, signal.SIGKILL, 5), 0)

    def test_a_child_without_the_mark(self) -> None:
        code = ("import subprocess, time; child = subprocess.Popen(['sleep', '60'], env={}); print(flush=True); "
                "time.sleep(60)")
        one = self.child(code)
        found = processes.having(self.mark)
        self.assertEqual((len(found), one.pid in found), (2, True))
        self.assertEqual(processes.end(self.mark, signal.SIGKILL, 5), 2)

    def test_who_comes_from_whom(self) -> None:
        self.assertEqual(processes.with_children({2}, {2: 1, 3: 2, 4: 3, 5: 1}), {2, 3, 4})
        self.assertEqual(processes.parent(b"7 (a ) R 1) S 5 7 7 0"), 5)
        self.assertIsNone(processes.parent(b"7 (a) Z 5 7 7 0"))

    def test_an_environment_with_odd_parts(self) -> None:
        self.assertEqual(processes.variables(b"A=1\0B=\0odd\0C=x=y\0"), {b"A": b"1", b"B": b"", b"C": b"x=y"})


class BoundTests(unittest.TestCase):
    def test_what_a_command_says(self) -> None:
        self.assertEqual(said(["echo", "a b"], os.environ), "a b\n")
        self.assertEqual(said(["sh", "-c", "exit 3"], os.environ, codes=(0, 3)), "")

    def test_a_command_that_fails_or_hangs(self) -> None:
        with self.assertRaisesRegex(Broken, "exit 3: why"):
            said(["sh", "-c", "echo why >&2; exit 3"], os.environ)
        with self.assertRaisesRegex(Broken, "sleep did not end"):
            said(["sleep", "60"], os.environ, patience=0.1)

    def test_waiting_has_an_end(self) -> None:
        answers = iter([False, False, True])
        until(lambda: next(answers), 60, "the third", pause=0)
        with self.assertRaisesRegex(Broken, "what never comes: not within 0 s"):
            until(lambda: False, 0, "what never comes", pause=0)
