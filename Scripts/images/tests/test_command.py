"""The check of the pictures finds what is out of date, and the pictures of this repository are right."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path

from images import drawing, report
from images.command import FOLDER, REPOSITORY, check, main, write


class ReportTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in [report.PAGE, report.HASHES, *report.PICTURES.values()]:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, self.root / name)

    def test_the_pictures_of_this_repository_are_of_its_page(self) -> None:
        self.assertEqual(list(report.problems(self.root)), [])

    def test_a_page_that_changed_is_found(self) -> None:
        page = self.root / report.PAGE
        page.write_bytes(page.read_bytes().replace(b"TrainLog", b"TrainBook"))
        self.assertEqual(list(report.problems(self.root)),
                         [f"{report.PAGE}: changed after the picture of the report was made"])

    def test_a_picture_of_another_page_is_found(self) -> None:
        light, dark = report.PICTURES.values()
        shutil.copy2(self.root / light, self.root / dark)
        self.assertEqual(len(list(report.problems(self.root))), 1)

    def test_a_missing_picture_is_found(self) -> None:
        (self.root / report.PICTURES["dark"]).unlink()
        self.assertEqual(list(report.problems(self.root)), [f"{report.PICTURES['dark']}: missing"])

    def test_a_picture_that_is_too_large_is_found(self) -> None:
        (self.root / report.PICTURES["dark"]).write_bytes(bytes(report.MAX_SIZE + 1))
        self.assertIn("more than 150,000", "\n".join(report.problems(self.root)))

    def test_the_hashes_are_in_the_format_of_sha256sum(self) -> None:
        for line in (self.root / report.HASHES).read_text(encoding="utf-8").splitlines():
            self.assertRegex(line, r"^[0-9a-f]{64}  [^ ]+$")


class CheckTests(unittest.TestCase):
    def setUp(self) -> None:
        ReportTests.setUp(self)  # type: ignore[arg-type]

    def checked(self, wanted: dict[str, str]) -> tuple[int, str]:
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            return check(wanted, self.root), printed.getvalue()

    def test_a_picture_of_another_output_is_found(self) -> None:
        picture = drawing.terminal("one\n", "A", "light")
        (self.root / FOLDER / "run-light.svg").write_text(picture, encoding="utf-8")
        self.assertEqual(self.checked({"run-light.svg": picture})[0], 0)
        status, printed = self.checked({"run-light.svg": drawing.terminal("two\n", "A", "light")})
        self.assertEqual(status, 1)
        self.assertIn("docs/images/run-light.svg: not what the command prints today", printed)

    def test_a_missing_picture_is_found(self) -> None:
        self.assertEqual(self.checked({"none-light.svg": "<svg/>"})[0], 1)

    def test_a_picture_that_is_right_is_not_touched(self) -> None:
        path = self.root / FOLDER / "a.svg"
        with contextlib.redirect_stdout(io.StringIO()):
            write(path, "<svg/>")
        path.chmod(0o444)
        before = path.stat()
        write(path, "<svg/>")
        self.assertEqual(path.stat(), before)

    def test_options_that_ask_for_nothing_are_an_error(self) -> None:
        for arguments in ([], ["--check", "--report"], ["--binary", "/nonexistent"]):
            with self.assertRaises(SystemExit, msg=arguments), contextlib.redirect_stderr(io.StringIO()):
                main(arguments)


if __name__ == "__main__":
    unittest.main()
