"""How the closing lines of each tool are read."""

import unittest

from steps import counting


class SwiftTestsTests(unittest.TestCase):
    def test_a_failed_and_a_skipped_test_are_no_passed_ones(self):
        counts = counting.swift_tests([
            '◇ Test "values are skipped" started.', '✔ Test "one" passed after 0.1 seconds.',
            '✘ Test "two" recorded an issue at A.swift:1:2: Expectation failed', "↳ 1 == 2",
            '✘ Test "two" failed after 0.1 seconds with 1 issue.',
            '➜ Suite S skipped: "The stores are not here."', '➜ Test "three" skipped: "The stores are not here."',
            '➜ Test "four" skipped.', "✘ Suite S failed after 0.1 seconds with 1 issue.",
            "✘ Test run with 4 tests in 1 suite failed after 0.1 seconds with 1 issue."])
        self.assertEqual((counts.passed, counts.failed), (1, 1))
        self.assertEqual(counts.skipped, {"The stores are not here.": 1, "no reason is given": 1})

    def test_the_runs_of_two_processes_are_added_up(self):
        line = "✔ Test run with {} tests in 3 suites passed after 2.0 seconds."
        self.assertEqual(counting.swift_tests([line.format(345), line.format(2427)]).passed, 2772)

    def test_a_run_without_a_summary_counts_no_passed_test(self):
        self.assertEqual(counting.swift_tests(['✔ Test "one" passed after 0.1 seconds.']).passed, 0)


class UnittestsTests(unittest.TestCase):
    def test_failures_errors_and_skipped_tests_are_told_apart(self):
        counts = counting.unittests([
            "test_a (m.T.test_a) ... ok", "test_b (m.T.test_b) ... skipped 'jsonschema is not installed'",
            "test_c (m.T.test_c) ... FAIL", "test_d (m.T.test_d) ... ERROR", "Ran 4 tests in 0.1s", "",
            "FAILED (failures=1, errors=1, skipped=1)", "Ran 78 tests in 1.3s", "", "OK"])
        self.assertEqual((counts.passed, counts.failed), (79, 2))
        self.assertEqual(counts.skipped, {"jsonschema is not installed": 1})


class OtherStepsTests(unittest.TestCase):
    def test_a_step_that_only_says_why_it_was_skipped_has_checked_nothing(self):
        counts = counting.one_check(["SKIPPED: Chromium is not here. No page was checked."])
        self.assertEqual((counts.passed, counts.skipped.total()), (0, 1))
        self.assertIn("Chromium is not here", next(iter(counts.skipped)))

    def test_a_step_that_skips_a_part_has_passed(self):
        counts = counting.one_check(["SKIPPED: shellcheck is not here.", "20 manifests hold"])
        self.assertEqual((counts.passed, counts.skipped.total()), (1, 1))

    def test_a_silent_step_is_one_check(self):
        self.assertEqual(counting.one_check([]).passed, 1)

    def test_the_points_of_a_sweep_are_its_checks(self):
        counts = counting.sweep([
            "crash: 148 points, 0 failed (3 scenarios)", "locks: 300 rounds, 2 failed",
            "service: SKIPPED, nothing was shown: strace is not here", "1 of 11 parts were SKIPPED."])
        self.assertEqual((counts.passed, counts.failed), (446, 2))
        self.assertEqual(counts.skipped, {"nothing was shown: strace is not here": 1})

    def test_each_fuzzed_target_is_a_check(self):
        counts = counting.fuzzing(["xml-plist: 4711 runs, 0 findings, 4 s", "instant: 12 runs, 1 findings, 4 s"])
        self.assertEqual((counts.passed, counts.failed), (1, 1))
