"""The command: what it finds, what it says, how it ends."""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from . import HAS_SCHEMAS, WHY
from .sample import Sample
from .. import command
from ..command import main


class CommandTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, content: bytes) -> str:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(content)
        return str(self.folder / name)

    def run_command(self, *arguments: str) -> tuple[int, str, str]:
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                status = main(arguments)
            except SystemExit as ending:
                status = int(str(ending.code))
        return status, output.getvalue(), errors.getvalue()

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_files_and_folders_are_told_by_content(self) -> None:
        self.write("sub/a.jsonl", Sample().plain())
        self.write("b.json", Sample().lines())
        self.write("c.json", gzip.compress(Sample().lines()))
        self.write(".hidden", b"")
        status, output, _ = self.run_command(str(self.folder), self.write("d", Sample(records=[]).plain()))
        self.assertEqual(status, 0)
        self.assertEqual(output, "validate-exports: 5 valid (3 documents, 2 in JSON lines; 1 of them packed), 0 not\n")

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_many_files_are_all_verified(self) -> None:
        for number in range(20):
            records = [f'{{"id":{number},"a":null,"made":"x"}}']
            self.write(f"{number}", Sample(records=records, hash="0" * 64 if number == 7 else "").plain())
        status, output, _ = self.run_command(str(self.folder))
        self.assertEqual(status, 1)
        self.assertIn("/7: the sha256", output)
        self.assertIn("19 valid", output)
        self.assertIn("1 not", output)

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_of_files_with_the_same_bytes_one_is_verified_and_all_are_told(self) -> None:
        for number in range(20):
            self.write(f"{number}", Sample(hash="0" * 64 if number in (7, 11) else "").plain())
        with mock.patch("exports.command.verify_all", side_effect=command.verify_all) as verify_all:
            status, output, _ = self.run_command(str(self.folder), str(self.folder / "none"))
        self.assertEqual([len(call.args[0]) for call in verify_all.call_args_list], [3])
        self.assertEqual(status, 1)
        for text in ("/7: the sha256", "/11: the sha256", "none: can't be read", "18 valid", "3 not"):
            self.assertIn(text, output)

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_too_few_is_a_failure(self) -> None:
        path = self.write("a", Sample().plain())
        self.assertEqual(self.run_command("--minimum", "1", path)[0], 0)
        status, output, _ = self.run_command("--minimum", "2", path)
        self.assertEqual(status, 1)
        self.assertIn("at least 2", output)
        (self.folder / "a").unlink()
        self.assertEqual(self.run_command(str(self.folder))[0], 1)

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_a_file_that_is_not_there_is_a_failure(self) -> None:
        status, output, _ = self.run_command(str(self.folder / "none"))
        self.assertEqual(status, 1)
        self.assertIn("can't be read", output)

    @unittest.skipUnless(HAS_SCHEMAS, WHY)
    def test_at_most_20_lines_are_said_of_a_file(self) -> None:
        path = self.write("a", Sample(records=['{"id":1,"a":true,"made":[]}'] * 30).plain())
        status, output, _ = self.run_command(path)
        self.assertEqual(status, 1)
        self.assertEqual(len(output.splitlines()), 22)
        self.assertIn("more", output)

    def test_without_the_package_it_says_so(self) -> None:
        path = self.write("a", b"")
        with mock.patch.dict(sys.modules, {"jsonschema": None}):
            for options, wanted in (((), 0), (("--required",), 77)):
                status, output, errors = self.run_command(*options, path)
                self.assertEqual((status, output), (wanted, ""))
                self.assertTrue(errors.startswith("SKIPPED:") and "Nothing was verified" in errors, errors)

    def test_a_wrong_command_line_is_64(self) -> None:
        for arguments in ((), ("--minimum", "x", "a"), ("--unknown", "a")):
            self.assertEqual(self.run_command(*arguments)[0], 64)


if __name__ == "__main__":
    unittest.main()
