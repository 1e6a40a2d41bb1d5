"""Ratios, aims and verdicts must say what was measured."""

from __future__ import annotations

import unittest

from Benchmarks import keeping, tables
from Benchmarks.measuring import Measured
from Benchmarks.rows import Aim, Compared, Row, at_most, faster

from .made import measured


def compare(aim: Aim | None, ours: Measured, theirs: Measured) -> Compared:
    return Compared(Row("title", ours.work, theirs.work, aim), ours, theirs)


class MedianTests(unittest.TestCase):
    def test_the_median_counts_and_the_spread_is_from_end_to_end(self) -> None:
        one = measured("work", 1.0, 9.0, 2.0)
        self.assertEqual(one.seconds, 2.0)
        self.assertEqual(one.spread, 8.0)

    def test_memory_is_that_of_the_worst_round(self) -> None:
        self.assertEqual(measured("work", 1, 1, 1, mebibytes=62).mebibytes, 64)


class AimTests(unittest.TestCase):
    def test_times_as_fast(self) -> None:
        for ours, theirs, reached in ((1.0, 4.0, True), (1.0, 3.9, False), (4.0, 1.0, False), (0.5, 2.0, True)):
            found = compare(faster(4), measured("a", ours), measured("b", theirs))
            self.assertIs(found.is_reached, reached, (ours, theirs))
            self.assertEqual(found.ratio, theirs / ours)

    def test_at_most_so_many_times_its_time(self) -> None:
        for ours, theirs, reached in ((2.0, 1.0, True), (2.1, 1.0, False), (0.5, 1.0, True)):
            self.assertIs(compare(at_most(2), measured("a", ours), measured("b", theirs)).is_reached, reached)

    def test_no_larger(self) -> None:
        for size, reached in ((100, True), (99, True), (101, False)):
            found = compare(faster(1.3, no_larger=True), measured("a", 1, size=size), measured("b", 2, size=100))
            self.assertIs(found.is_reached, reached, size)

    def test_without_an_aim_there_is_no_verdict(self) -> None:
        self.assertIsNone(compare(None, measured("a", 1), measured("b", 1)).is_reached)
        self.assertEqual(tables.verdict(None), "")

    def test_ratios_are_told_in_the_words_of_the_aim(self) -> None:
        ours, theirs = measured("a", 2.0), measured("b", 1.0)
        self.assertEqual(compare(at_most(2), ours, theirs).ratio_words, "2.00 x its time")
        self.assertEqual(compare(faster(4), ours, theirs).ratio_words, "0.50 x as fast")
        self.assertEqual(compare(None, ours, theirs).ratio_words, "0.50 x as fast")


class TableTests(unittest.TestCase):
    def test_a_table_has_as_many_cells_in_each_line(self) -> None:
        found = [compare(faster(4), measured("a", 1.0, size=1_234_567), measured("b", 5.0, size=9)),
                 compare(None, measured("c", 1.0), measured("d", 0.5))]
        lines = tables.comparisons(found).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {len(tables.HEADINGS) + 1})
        self.assertIn("1,234,567", lines[2])
        self.assertIn("| 4 x as fast | yes |", lines[2])

    def test_figures_are_to_the_right(self) -> None:
        self.assertEqual(tables.table(("a", "b"), [["x", "1.0"], ["y", "2"]]).splitlines()[1], "| --- | ---: |")

    def test_memory_above_the_bound_is_not_reached(self) -> None:
        lines = tables.peaks({"copy": 64.0, "run": 64.1}).splitlines()
        self.assertTrue(lines[2].endswith("| yes |"), lines[2])
        self.assertTrue(lines[3].endswith("| **no** |"), lines[3])

    def test_the_table_of_the_machine_has_each_work_once(self) -> None:
        ours, dd = measured("a", 1.0), measured("dd", 0.2, 0.3, 0.6)
        found = [Compared(Row(title, ours.work, ours.work), ours, ours, dd) for title in ("one", "another")]
        self.assertEqual(tables.machines(found).splitlines()[2:], ["| a | dd | 0.30 | 0.40 | 1.00 |"])
        self.assertEqual(tables.as_json(found)["one"]["machine"]["seconds"], 0.3)
        self.assertNotIn("machine", tables.as_json([compare(None, ours, ours)])["title"])

    def test_the_stored_figures_equal_the_table(self) -> None:
        kept = tables.as_json([compare(faster(4), measured("a", 2.0, 1.0, 3.0), measured("b", 10.0))])["title"]
        self.assertEqual((kept["timesAsFast"], kept["isReached"], kept["godwit"]["seconds"]), (5.0, True, 2.0))
        self.assertEqual(kept["godwit"]["rounds"], [2.0, 1.0, 3.0])
        self.assertEqual(kept["yardstick"]["work"], "b")


class MachineTests(unittest.TestCase):
    def test_the_processor_has_its_name_and_model_number(self) -> None:
        said = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Xeon: one\n\nprocessor\t: 1\nmodel name\t: other\n"
        self.assertEqual(keeping.processor(said), "Xeon: one, family 6, model 207")
        self.assertEqual(keeping.processor("processor : 0\nBogoMIPS : 2.0\n"), "")
        self.assertEqual(keeping.processor(""), "")
        self.assertRegex(keeping.machine(), r"^\d+ cores( of .+)?, \w+ \w+, sqlite3 \d")
