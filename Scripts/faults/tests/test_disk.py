"""The model of a disk: what it says is lost, and that it finds a flush that is missing."""

from __future__ import annotations

import random
import tempfile
import unittest
from pathlib import Path

from faults.disk import LINK, Disk, Inode, apply_writes
from faults.recording import Recording


class WritesTests(unittest.TestCase):
    def test_a_write_beyond_the_end_leaves_zeros_between(self) -> None:
        self.assertEqual(apply_writes(b"ab", [("write", 4, b"x")]), b"ab\0\0x")

    def test_resizing_cuts_and_lengthens(self) -> None:
        self.assertEqual(apply_writes(b"abcd", [("resize", 2)]), b"ab")
        self.assertEqual(apply_writes(b"ab", [("resize", 3)]), b"ab\0")


class DiskTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name).resolve()
        (self.root / "c").mkdir()
        (self.root / "c" / "store").write_bytes(b"old")

    def follow(self, calls: list[tuple[str, str, int]], model: str = "strict") -> Recording:
        recording = Recording(Disk(self.root, ("c",)), str(self.root), model)
        for call, arguments, result in calls:
            recording.follow(call, arguments, result)
        return recording

    def text(self, text: str) -> str:
        """As strace -xx writes a string."""
        return '"' + "".join(f"\\x{byte:02x}" for byte in text.encode()) + '"'

    def replacing(self, *, flushes_file: bool, flushes_folder: bool) -> list[tuple[str, str, int]]:
        """A replacement of `c/store`, with or without what makes it last."""
        calls = [
            ("openat", f"AT_FDCWD, {self.text('c/new')}, O_RDWR|O_CREAT|O_EXCL, 0600", 5),
            ("write", f"5, {self.text('new')}, 3", 3),
        ]
        if flushes_file:
            calls.append(("fsync", "5", 0))
        calls += [("close", "5", 0), ("rename", f"{self.text('c/new')}, {self.text('c/store')}", 0)]
        if flushes_folder:
            calls += [("openat", f"AT_FDCWD, {self.text('c')}, O_RDONLY|O_DIRECTORY", 6), ("fsync", "6", 0)]
        return calls

    def contents(self, recording: Recording) -> set[bytes | None]:
        return {files.get("c/store", b"(gone)") for _, files in recording.disk.states(random.Random(1), 50)}

    def test_a_link_is_there_once_its_folder_was_flushed(self) -> None:
        (self.root / "c" / "latest").symlink_to("store")
        made = f"{self.text('other')}, {self.text(str(self.root / 'c' / 'new'))}"
        recording = self.follow([("symlink", made, 0)])
        states = dict(recording.disk.states(random.Random(1), 0))
        self.assertEqual(states["nothing pending survives"]["c/latest"], LINK + b"store")
        self.assertNotIn("c/new", states["nothing pending survives"])
        self.assertEqual(states["everything survives"]["c/new"], LINK + b"other")
        self.assertEqual(recording.disk.differs_from_reality(), ["c/new"])
        (self.root / "c" / "new").symlink_to("other")
        self.assertEqual(recording.disk.differs_from_reality(), [])

    def test_a_flushed_replacement_is_old_or_new_and_nothing_else(self) -> None:
        recording = self.follow(self.replacing(flushes_file=True, flushes_folder=False))
        self.assertEqual(self.contents(recording), {b"old", b"new"})
        self.assertEqual(recording.audit, [])

    def test_two_files_that_are_exchanged_are_both_there_whatever_survives(self) -> None:
        calls = self.replacing(flushes_file=True, flushes_folder=False)
        names = f"AT_FDCWD, {self.text('c/new')}, AT_FDCWD, {self.text('c/store')}"
        calls[-1] = ("renameat2", f"{names}, RENAME_EXCHANGE", 0)
        recording = self.follow(calls)
        self.assertEqual(self.contents(recording), {b"old", b"new"})
        self.assertEqual(recording.disk.live["c/new"].content(), b"old")

    def test_a_missing_flush_of_the_file_loses_its_data(self) -> None:
        recording = self.follow(self.replacing(flushes_file=False, flushes_folder=False))
        self.assertIn(b"", self.contents(recording))
        self.assertEqual(len(recording.audit), 1)

    def test_a_missing_flush_of_the_folder_is_told_at_the_end(self) -> None:
        without = self.follow(self.replacing(flushes_file=True, flushes_folder=False))
        self.assertTrue(any("name never flushed" in note for note in without.disk.never_flushed()))
        complete = self.follow(self.replacing(flushes_file=True, flushes_folder=True))
        self.assertEqual(complete.disk.never_flushed(), [])
        self.assertEqual(self.contents(complete), {b"new"})

    def test_ext4_makes_a_new_name_durable_with_the_file(self) -> None:
        calls = self.replacing(flushes_file=True, flushes_folder=False)[:3]
        found = {}
        for model in ("strict", "ext4"):
            states = self.follow(calls, model).disk.states(random.Random(1), 50)
            found[model] = {files.get("c/new") for _, files in states}
        self.assertEqual(found, {"strict": {None, b"new"}, "ext4": {b"new"}})

    def test_long_writes_are_torn_at_sectors(self) -> None:
        disk = Disk(self.root, ("c",))
        disk.live["c/store"].pending.append(("write", 0, b"n" * 2048))
        sizes = {len(files["c/store"]) for _, files in disk.states(random.Random(1), 300)}
        self.assertTrue({512, 1024, 1536} & sizes)

    def test_a_model_that_missed_a_write_says_so(self) -> None:
        disk = Disk(self.root, ("c",))
        self.assertEqual(disk.differs_from_reality(), [])
        disk.live["c/other"] = Inode(b"x")
        (self.root / "c" / "store").write_bytes(b"new")
        self.assertEqual(disk.differs_from_reality(), ["c/other", "c/store"])


if __name__ == "__main__":
    unittest.main()
