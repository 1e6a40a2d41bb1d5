"""Filling memory ends, also where the system reports nothing or no change, and goes on where it stopped."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from Benchmarks.filling import CHUNK, ROUNDS, Filling, of_the_system

#: A twentieth of it is free at the end, and a twentieth is read at least.
TOTAL = 1000 * CHUNK


class Memory:
    """A system whose free memory falls by a chunk each time it is asked, or stays."""

    def __init__(self, free: int, falls: bool = True) -> None:
        self.free, self.falls = free, falls

    def __call__(self) -> dict[str, int]:
        free = self.free
        self.free -= CHUNK if self.falls else 0
        return {"MemTotal": TOTAL, "MemFree": free}


class FillingTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "filling"

    def test_it_reads_until_little_is_free_and_goes_on_from_there(self) -> None:
        memory = Memory(TOTAL)
        filling = Filling(self.path, memory)
        for free, chunks, place in ((900, 50 + 850, 900), (50, 50, 950), (150, 50 + 100, 100)):
            memory.free = free * CHUNK
            self.assertEqual(filling.fill(), chunks * CHUNK, free)
            self.assertEqual(filling.place, place * CHUNK, free)

    def test_the_file_takes_no_room(self) -> None:
        Filling(self.path, Memory(TOTAL))
        self.assertEqual(self.path.stat().st_size, TOTAL)
        self.assertLess(self.path.stat().st_blocks * 512, CHUNK)

    def test_where_it_does_not_help_it_is_not_tried_again(self) -> None:
        filling = Filling(self.path, Memory(TOTAL, falls=False))
        self.assertEqual(filling.fill(), ROUNDS * TOTAL)
        self.assertEqual(filling.fill(), 0)

    def test_a_system_that_tells_nothing_of_its_memory_is_left_alone(self) -> None:
        self.assertEqual(Filling(self.path, dict).fill(), 0)

    def test_the_system_tells_bytes(self) -> None:
        if not Path("/proc/meminfo").exists():
            self.skipTest("there is no /proc/meminfo here")
        found = of_the_system()
        self.assertGreater(found["MemTotal"], 1 << 28)
        self.assertLess(found["MemFree"], found["MemTotal"])
