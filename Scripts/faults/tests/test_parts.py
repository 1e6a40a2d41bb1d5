"""Parts at the same time: their lines, the order of the lines, and the exit status of the sweep."""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path

from faults import reading
from faults.__main__ import main
from faults.parts import PARTS, results


class PartsTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.binary = self.folder / "godwit"
        self.binary.write_text("#!/bin/sh\n")
        self.binary.chmod(0o755)

    def run_parts(self, *names: str, at_once: int) -> tuple[list[bool | None], list[str]]:
        """What came of parts, and the lines about them without how long they took."""
        options = argparse.Namespace(
            binary=self.binary, quick=True, jobs=1, seed=1, only="", verbose=False, at_once=at_once)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            found = list(results([f"tests.trial.{name}" for name in names], options))
        return found, [re.sub(r", \d+ s$", "", line) for line in said.getvalue().splitlines()]

    def test_each_is_told_in_its_turn_whenever_it_ended(self) -> None:
        for at_once in (2, 4):
            (self.folder / "broken has run").unlink(missing_ok=True)
            found, said = self.run_parts("late", "broken", "missing", "early", at_once=at_once)
            self.assertEqual(found, [True, False, None, True])
            self.assertEqual(said, [
                "late: 1 points, 0 failed", "broken: 1 points, 1 failed",
                "tests.trial.missing: SKIPPED, nothing was shown: something is not here", "early: 1 points, 0 failed"])

    def test_one_after_the_other_is_the_same(self) -> None:
        found, said = self.run_parts("broken", "late", "missing", at_once=1)
        self.assertEqual(found, [False, True, None])
        self.assertEqual(len(said), 3)

    def test_a_part_that_comes_to_no_end_ends_the_sweep_and_nothing_is_left(self) -> None:
        before = set(Path(reading.MEMORY).glob("faults-*")) if reading.MEMORY else set()
        for at_once in (1, 2):
            with self.assertRaisesRegex(RuntimeError, "exits 65"):
                self.run_parts("early", "raising", "early", at_once=at_once)
        after = set(Path(reading.MEMORY).glob("faults-*")) if reading.MEMORY else set()
        self.assertEqual(after - before, set())

    def test_every_part_is_there(self) -> None:
        folder = Path(reading.__file__).parent
        for part in PARTS:
            self.assertTrue((folder / f"{part}.py").exists() or (folder / part / "__init__.py").exists(), part)

    def test_a_command_line_that_makes_no_sense_is_refused(self) -> None:
        for words in (["--at-once", "0"], ["nothing"], ["--at-once", "x"]):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                main(["--binary", str(self.binary), *words])


if __name__ == "__main__":
    unittest.main()
