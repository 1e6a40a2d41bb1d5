"""`Scripts/build`: SQLite inside where the system has an archive that can be linked, and nowhere else."""

from __future__ import annotations

import platform
import unittest
from pathlib import Path

from .checkout import CheckoutTests

ARCHIVE = Path(f"/usr/lib/{platform.machine()}-linux-gnu/libsqlite3.a")
needs_archive = unittest.skipUnless(
    platform.system() == "Linux" and ARCHIVE.exists() and not Path("/usr/local/lib/libsqlite3.so").exists(),
    f"needs {ARCHIVE}: Debian's libsqlite3-dev")


class BuildTests(CheckoutTests):
    def setUp(self) -> None:
        super().setUp()
        self.take("build")

    def folders(self, *arguments: str, **variables: str) -> list[str]:
        """The folders in which the linker looks first."""
        done = self.run_script("Scripts/build", *arguments, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.asked[:3], ["build", "-c", "release"])
        self.assertEqual(self.asked[3:3 + len(arguments)], list(arguments))
        return [name.removeprefix("-L") for name in self.asked[3 + len(arguments):] if name != "-Xlinker"]

    @needs_archive
    def test_the_archive_comes_first(self) -> None:
        [folder] = self.folders("--product", "godwit")
        self.assertEqual([file.name for file in Path(folder).iterdir()], ["libsqlite3.a"])
        self.assertEqual((Path(folder) / "libsqlite3.a").resolve(), ARCHIVE.resolve())

    def test_whoever_wants_it_beside_has_it_beside(self) -> None:
        self.folders()
        self.assertEqual(self.folders(GODWIT_SQLITE="shared"), [])
        self.assertFalse((self.checkout / ".build-sqlite").exists())

    def test_another_system_does_not_get_this_ones_archive(self) -> None:
        for option in (["--swift-sdk", "aarch64"], ["--triple=aarch64-unknown-linux-gnu"]):
            with self.subTest(option):
                self.assertEqual(self.folders(*option), [])

    def test_a_choice_that_is_none_is_refused(self) -> None:
        done = self.run_script("Scripts/build", GODWIT_SQLITE="static")
        self.assertEqual((done.returncode, done.stderr), (64, "GODWIT_SQLITE is inside or shared, and not static.\n"))

    def test_the_checkout_is_the_scripts_own_whatever_is_searched_for_folders(self) -> None:
        other = self.folder / "others"
        (other / "Scripts").mkdir(parents=True)
        done = self.run_script("Scripts/build", CDPATH=str(other), GODWIT_SQLITE="shared")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
