"""The judge finds what it is there to find."""

from __future__ import annotations

import unittest
from dataclasses import replace
from typing import Any

from .. import judging
from ..journals import Journal
from ..tasks import Task

EXPECTED = {"a": "first launch", "b": "interrupted", "x": "damaged"}
GOOD = Task("COMPLETED", "0:0", 0, "2026-11-22T10:00:00", "2026-11-22T10:05:00", "node1")


def report(**changes: Any) -> dict[str, Any]:
    rows = [{"container": "a", "verdict": "completed"}, {"container": "b", "verdict": "unchanged"},
            {"container": "x", "verdict": "failed"}]
    return {"shards": 2, "containers": rows,
            "counts": {"completed": 1, "unchanged": 1, "partial": 0, "failed": 1}} | changes


def journal(*rows: tuple[str, str], **changes: Any) -> Journal:
    return Journal(**{"share": len(rows), "rows": list(rows), "headers": 1, "summaries": 1} | changes)


class MergedTests(unittest.TestCase):
    def test_a_good_one(self) -> None:
        self.assertEqual(judging.merged(report(), EXPECTED, 2, {"b"}), [])

    def test_too_few_shards(self) -> None:
        self.assertIn("of 1 shards", judging.merged(report(shards=1), EXPECTED, 2, {"b"})[0])
        self.assertIn("of None shards", judging.merged(report(shards=None), EXPECTED, 2, {"b"})[0])

    def test_missing_foreign_and_twice(self) -> None:
        rows = report()["containers"]
        self.assertIn("missing", judging.merged(report(containers=rows[1:]), EXPECTED, 2, {"b"})[0])
        self.assertIn("more than once", judging.merged(report(containers=rows + rows[:1]), EXPECTED, 2, {"b"})[0])
        foreign = rows + [{"container": "z", "verdict": "completed"}]
        self.assertIn("in no folder", judging.merged(report(containers=foreign), EXPECTED, 2, {"b"})[0])

    def test_verdicts_and_counts(self) -> None:
        wrong = [row | {"verdict": "failed"} for row in report()["containers"]]
        found = judging.merged(report(containers=wrong), EXPECTED, 2, {"b"})
        self.assertIn("2 containers have a wrong verdict: a (failed), b (failed)", found[0])
        self.assertIn("counts", found[1])

    def test_what_was_done_before_though_nothing_was_stopped_at_it(self) -> None:
        self.assertIn("1 containers were done before", judging.merged(report(), EXPECTED, 2, {"a"})[0])

    def test_many_are_not_all_named(self) -> None:
        self.assertEqual(judging.few(["a", "b", "c", "d", "e"]), "a, b, c and 2 more")


class JournalsTests(unittest.TestCase):
    def setUp(self) -> None:
        self.good = {1: journal(("a", "completed")), 2: journal(("b", "completed"), ("x", "failed"), headers=2)}

    def test_good_ones(self) -> None:
        self.assertEqual(judging.journals(self.good, {2: ["b"]}, 3), [])

    def test_shares_that_do_not_add_up(self) -> None:
        self.assertIn("3 containers of 4", judging.journals(self.good, {}, 4)[0])

    def test_done_in_two_shards_or_twice_in_one(self) -> None:
        self.good[1].rows.append(("b", "completed"))
        self.assertIn("done twice", judging.journals(self.good, {}, 3)[0])

    def test_a_failed_one_may_be_tried_again(self) -> None:
        self.good[2].rows.append(("x", "failed"))
        self.assertEqual(judging.journals(self.good, {}, 3), [])

    def test_no_second_pass_no_end_and_lost_lines(self) -> None:
        self.assertIn("no second pass", judging.journals(self.good, {1: []}, 3)[0])
        self.assertIn("lost lines", judging.journals(self.good, {2: ["q"]}, 3)[0])
        self.good[1].summaries = 0
        self.assertIn("no summary", judging.journals(self.good, {}, 3)[0])


class TasksTests(unittest.TestCase):
    def setUp(self) -> None:
        self.journals = {1: journal(("a", "completed")), 2: journal(("x", "failed"))}
        self.tasks = {1: replace(GOOD, restarts=1), 2: replace(GOOD, state="FAILED", ending="1:0")}

    def test_good_ones(self) -> None:
        self.assertEqual(judging.tasks(self.tasks, [1], self.journals, 2), [])

    def test_a_failure_that_slurm_does_not_show(self) -> None:
        self.tasks[2] = GOOD
        self.assertIn("task 2 ended COMPLETED 0:0, not FAILED 1:0", judging.tasks(self.tasks, [1], self.journals, 2))

    def test_a_task_that_was_not_started_again_or_never_was(self) -> None:
        self.assertIn("task 1 was started 1 times more", judging.tasks(self.tasks, [], self.journals, 2))
        del self.tasks[2]
        self.assertIn("there were tasks [1]", judging.tasks(self.tasks, [1], self.journals, 2)[0])

    def test_a_merge_that_came_too_early_or_said_nothing(self) -> None:
        merge = replace(GOOD, started="2026-11-22T10:05:01")
        self.assertEqual(judging.merging(merge, self.tasks, False), [])
        self.assertIn("not FAILED 1:0", judging.merging(merge, self.tasks, True)[0])
        early = replace(GOOD, started="2026-11-22T10:04:00")
        self.assertIn("before task", judging.merging(early, self.tasks, False)[0])


class HistoryTests(unittest.TestCase):
    def judged(self, *outcomes: str, receipt: str | None = "R", cut: bool = False) -> list[str]:
        return judging.history([{"outcome": outcome} for outcome in outcomes], receipt, cut)

    def test_one_run_completed_it(self) -> None:
        for outcome in ("done", "healed", "partial"):
            self.assertEqual(self.judged(outcome), [])

    def test_never_and_twice(self) -> None:
        self.assertIn("none of its runs (there are none)", self.judged()[0])
        self.assertIn("none of its runs (alreadyDone)", self.judged("alreadyDone")[0])
        self.assertIn("completed 2 times", self.judged("done", "done", cut=True)[0])
        self.assertIn("completed 2 times", self.judged("partial", "done", cut=True)[0])
        self.assertIn("completed 2 times", self.judged("done", "healed")[0])
        self.assertIn("completed 3 times", self.judged("done", "healed", "healed", cut=True)[0])
        self.assertIn("no receipt", self.judged("done", receipt=None)[0])

    def test_killed_between_the_copy_and_its_flag(self) -> None:
        self.assertEqual(self.judged("healed", "done", cut=True), [])

    def test_a_second_run_needs_a_stop(self) -> None:
        self.assertIn("was run 2 times", self.judged("done", "alreadyDone")[0])
        for outcomes in (("done", "alreadyDone"), ("failed", "done"), ("alreadyDone",), ("healed",), ()):
            self.assertEqual(self.judged(*outcomes, cut=True), [], outcomes)
        self.assertIn("none of its runs", self.judged("failed", "nothingToDo", cut=True)[0])
