"""A command that has ended does not disturb the process that stopped it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from faults.pausing import Paused
from faults.tracing import Point


class PausedTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_one_that_has_ended_while_strace_has_not_is_told_nothing(self) -> None:
        gone = subprocess.Popen(["true"])
        gone.wait()
        command = Paused([], self.folder / "box", Point("read", 1))
        command.stopped, command.pid = True, gone.pid
        # A process in the place of strace goes on after the command that it followed.
        command.strace = subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        command.go_on()
        command.kill()
        command.__exit__(None, None, None)
        self.assertIsNotNone(command.strace.poll())


if __name__ == "__main__":
    unittest.main()
