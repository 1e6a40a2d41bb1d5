"""`--binary FILE`: a path from the folder in which a script was called."""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

from .checkout import ROOT, CheckoutTests

GODWIT = "#!/usr/bin/env bash\necho \"godwit: $*\"\n"


class BinaryTests(CheckoutTests):
    def setUp(self) -> None:
        super().setUp()
        self.elsewhere = self.folder / "elsewhere"
        self.put(self.elsewhere / "built/godwit", GODWIT)

    def test_install_takes_it_from_the_callers_folder(self) -> None:
        self.take("install")
        manual = self.checkout / "docs/man/godwit.1"
        manual.parent.mkdir(parents=True)
        manual.write_text("manual\n")
        target = self.folder / "installed"
        done = self.run_script(
            "../check out/Scripts/install", "--binary", "built/godwit", folder=self.elsewhere, PREFIX="/usr", DESTDIR=str(target))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((target / "usr/bin/godwit").read_text(), GODWIT)
        self.assertEqual((target / "usr/share/man/man1/godwit.1").read_text(), "manual\n")

    def test_what_python_runs_gets_it_as_it_was_said_and_from_where(self) -> None:
        for script, package, option in (
                ("bench", "Tests/Benchmarks", ["--binary", "built/godwit"]), ("fault", "Scripts/faults", ["--binary=built/godwit"])):
            with self.subTest(script):
                self.take(script, "python-with")
                for tool in ("sqlite3", "pigz", "hyperfine", "time", "../check out/.build-bench/tools/bin/sqlite-utils"):
                    self.put(self.folder / "tools" / tool, "")
                self.put(self.checkout / package / "__init__.py", "")
                self.put(self.checkout / package / "__main__.py", "import os, sys; print(os.getcwd(), *sys.argv[1:])\n")
                done = self.run_script(f"../check out/Scripts/{script}", *option, folder=self.elsewhere)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, f"{self.elsewhere} {' '.join(option)}\n")

    def test_one_that_is_not_there_is_told(self) -> None:
        self.take("install", "check-ci", "manual")
        for script in ("install", "check-ci", "manual"):
            with self.subTest(script):
                done = self.run_script(f"../check out/Scripts/{script}", "--binary", "none", folder=self.elsewhere)
                self.assertEqual((done.returncode, done.stderr), (66, f"{self.elsewhere}/none is no program.\n"))
        for package in ("faults", "fleets", "exports.recipes"):
            with self.subTest(package):
                done = subprocess.run(
                    [sys.executable, "-B", "-m", package, "--binary", "none"], cwd=self.elsewhere,
                    env=self.environment | {"PYTHONPATH": str(ROOT / "Scripts")}, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr.splitlines()[-1].split(": ", 2)[1:]), (2, ["error", "none is no program"]))

    def test_words_that_are_no_options_build_nothing(self) -> None:
        self.take("install", "check-ci", "manual")
        for script in ("install", "check-ci", "manual"):
            with self.subTest(script):
                done = self.run_script(f"Scripts/{script}", "--help")
                self.assertEqual((done.returncode, done.stdout), (64, ""))
                self.assertTrue(done.stderr.startswith(f"Usage: Scripts/{script} "), done.stderr)

    def test_a_relative_root_is_the_callers(self) -> None:
        self.take("install")
        self.put(self.checkout / "docs/man/godwit.1", "manual\n")
        done = self.run_script(
            "../check out/Scripts/install", "--binary", "built/godwit", folder=self.elsewhere, DESTDIR="root", PREFIX="/usr")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, f"{self.elsewhere}/root/usr/bin/godwit"))

    def test_the_checkouts_own_is_built_and_found(self) -> None:
        self.take("built-command", "build")
        self.put(self.checkout / "Scripts/install-libraries", "#!/usr/bin/env bash\necho libraries\n")
        done = self.run_script("../check out/Scripts/built-command", folder=self.elsewhere, GODWIT_SQLITE="shared")
        self.assertEqual((done.returncode, done.stdout), (0, f"{self.folder}/built/godwit\n"))
        self.assertEqual(self.asked, ["build", "-c", "release", "--product", "godwit"])

    def test_every_script_finds_its_checkout_whatever_is_searched_for_folders(self) -> None:
        for script in sorted((ROOT / "Scripts").iterdir()):
            if script.is_file() and script.suffix != ".py":
                for line in script.read_text().splitlines():
                    if "cd " in line and "dirname" in line:
                        self.assertIn('CDPATH="" cd', line, f"{Path(script).name}: {line}")


if __name__ == "__main__":
    unittest.main()
