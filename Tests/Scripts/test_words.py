"""The check of words: more than the list allows is an error, and the list only shrinks."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "words"


class WordsTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "Scripts").mkdir()
        shutil.copy2(SCRIPT, self.root / "Scripts" / "words")
        self.allowed = self.root / "Scripts" / "words.txt"
        self.allowed.write_text("page.md 2\n")
        self.page = self.root / "page.md"
        subprocess.run(["git", "init", "-q", "."], cwd=self.root, check=True)

    def words(self, *options: str) -> tuple[int, str]:
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        done = subprocess.run([self.root / "Scripts" / "words", *options], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_as_many_as_are_allowed_pass(self) -> None:
        self.page.write_text("Nobody is told.\nThe understanding reader.\n")
        self.assertEqual(self.words(), (0, ""))

    def test_a_new_file_counts_before_it_is_added(self) -> None:
        (self.root / "new.md").write_text("Nobody is told.\n")
        done = subprocess.run([self.root / "Scripts" / "words"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("new.md:1", done.stderr)

    def test_one_more_is_an_error_that_says_where_and_what_to_write(self) -> None:
        self.page.write_text("Nobody is told.\nIt leads nowhere.\n")
        status, errors = self.words()
        self.assertEqual(status, 1)
        self.assertIn("page.md:2: leads nowhere: write refers to a missing record", errors)

    def test_a_file_that_is_not_listed_may_have_none(self) -> None:
        self.page.write_text("")
        (self.root / "new.py").write_text("# Whoever reads this.\n")
        self.assertEqual(self.words()[0], 1)

    def test_an_update_lowers_numbers_and_never_raises_one(self) -> None:
        self.page.write_text("Nobody.\n")
        self.assertEqual(self.words("--update")[0], 0)
        self.assertEqual(self.allowed.read_text(), "page.md 1\n")
        self.page.write_text("Nobody is told.\n")
        self.words("--update")
        self.assertEqual(self.allowed.read_text(), "page.md 1\n")
        self.assertEqual(self.words()[0], 1)


if __name__ == "__main__":
    unittest.main()
