"""Steps of small shell commands."""

import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from steps import counting
from steps.__main__ import in_memory, run_all
from steps.step import Step, run
from steps.summary import summary


class StepTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.shown: list[str] = []

    def run_step(self, *scripts: str, **options):
        commands = [["sh", "-c", script] for script in scripts]
        return run(Step("a step", commands, **options), self.folder, self.shown.append)

    def test_a_command_that_fails_ends_the_step_and_its_output_is_shown(self):
        result = self.run_step("echo one", "echo two; exit 3", "echo three")
        self.assertEqual((result.counts.passed, result.counts.failed), (0, 1))
        self.assertIn("exit status 3", self.shown[0])
        self.assertIn("two", self.shown)
        self.assertEqual(result.log.read_text(), "one\ntwo\n")

    def test_commands_side_by_side_all_run_and_one_failure_counts(self):
        result = self.run_step("echo one; exit 1", "echo two", is_side_by_side=True)
        self.assertEqual(result.counts.failed, 1)
        self.assertEqual(sorted(result.log.read_text().split()), ["one", "two"])

    def test_stores_of_tests_are_in_memory_only_where_a_file_system_is(self):
        with unittest.mock.patch.dict("os.environ"):
            os.environ.pop("TMPDIR", None)
            self.assertIsNone(in_memory(self.folder))
            os.environ["TMPDIR"] = "/tmp"
            self.assertIsNone(in_memory())

    def test_a_failure_is_shown_once_and_kept(self):
        result = self.run_step("echo fine; echo '✘ bad'; exit 1", failure=lambda line: line.startswith("✘"))
        self.assertEqual((self.shown, result.failures), (["✘ bad"], ["✘ bad"]))

    def test_a_script_that_cannot_run_here_is_skipped_with_its_reason(self):
        result = self.run_step("echo 'NOTHING WAS FUZZED: no libFuzzer'; exit 77", count=counting.fuzzing)
        self.assertEqual((result.counts.passed, result.counts.failed), (0, 0))
        self.assertEqual(result.counts.skipped, {"NOTHING WAS FUZZED: no libFuzzer": 1})

    def test_a_missing_command_fails(self):
        result = run(Step("a step", [["/does/not/exist"]]), self.folder, self.shown.append)
        self.assertEqual(result.counts.failed, 1)

    def test_a_process_that_a_signal_ends_fails(self):
        self.assertEqual(self.run_step("kill -9 $$").counts.failed, 1)

    def test_tests_that_crash_before_their_summary_fail(self):
        result = self.run_step("echo '✔ Test one passed after 1 seconds.'; exit 139", count=counting.swift_tests)
        self.assertEqual((result.counts.passed, result.counts.failed), (0, 1))

    def test_the_table_names_what_failed_was_skipped_and_was_not_run(self):
        steps = [Step("one", [["sh", "-c", "echo 'SKIPPED: jq is not here.'"]]),
                 Step("two", [["false"]], is_required=True), Step("three", [["true"]])]
        results, left_out = run_all(steps, self.folder)
        text = "\n".join(summary(results, left_out))
        self.assertIn("  one: jq is not here.", text)
        self.assertIn("two failed (all output: ", text)
        self.assertIn("not run, because an earlier step failed: three", text)
        self.assertTrue(text.endswith("\n0 passed, 1 failed, 1 skipped"))
