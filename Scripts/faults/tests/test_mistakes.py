"""The sweep of mistakes: which it makes, and what it calls silent."""

from __future__ import annotations

import sqlite3
import tempfile
import unittest
from pathlib import Path

from faults import mistakes
from faults.hostile.apps import build_sample


class MistakesTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "app"
        build_sample("trainlog", self.folder, "schema")

    def test_each_edit_is_another_word(self) -> None:
        found = dict(mistakes.edits("weight-unit"))
        self.assertEqual(set(found), {"dropped", "doubled", "swapped", "case", "separator"})
        self.assertEqual(found["separator"], "weight_unit")
        self.assertNotIn("weight-unit", found.values())
        self.assertEqual(list(mistakes.edits("a")), [])

    def test_words_that_decide_nothing_are_left_alone(self) -> None:
        what = [mistake.what for mistake in mistakes.mistakes(self.folder)]
        self.assertTrue(any("weightUnit ->" in each for each in what))
        self.assertTrue(any("TrainLog.store missing" in each for each in what))
        for word in ("cloudMigrationDone", "keepEarliest", "singleton", "schemaVersion"):
            self.assertFalse([each for each in what if f": {word} ->" in each], word)

    def test_a_mistake_changes_one_line_of_the_manifest(self) -> None:
        before = (self.folder / "godwit.yaml").read_text().splitlines()
        mistake = next(each for each in mistakes.mistakes(self.folder) if "weightUnit ->" in each.what)
        mistake.make(self.folder)
        after = (self.folder / "godwit.yaml").read_text().splitlines()
        self.assertEqual(sum(one != other for one, other in zip(before, after)), 1)

    def test_the_state_is_that_of_the_cloud_store_without_the_ledger(self) -> None:
        path = self.folder / "container/Library/Application Support/TrainLogCloud.store"
        with sqlite3.connect(path) as store:
            store.execute("CREATE TABLE A(id, b)")
            store.execute("INSERT INTO A VALUES ('x', 'y')")
            store.execute("CREATE TABLE godwit_run(id)")
            store.execute("INSERT INTO godwit_run VALUES (1)")
        self.assertEqual(mistakes.state(self.folder), {("a", "id", b"x", b"x"): 1, ("a", "b", b"x", b"y"): 1})


if __name__ == "__main__":
    unittest.main()
