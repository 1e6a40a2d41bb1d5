"""From one scale to the next: what counts as in proportion, and as flat."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from Benchmarks import scaling


def result(records: int, seconds: float, memory: float, works: tuple[str, ...] = ("godwit copy",)) -> dict:
    def side(work: str) -> dict:
        return {"work": work, "seconds": seconds, "processors": seconds}

    return {"records": records, "measured": "2026-11-22", "machine": "2 cores", "memory": {"copy": memory},
            "rows": {f"{work} {place}": {"godwit": side(work), "yardstick": side("sqlite3")}
                     for work in works for place in range(2)}}


class ProportionTests(unittest.TestCase):
    def test_ten_times_within_fifteen_in_a_hundred(self) -> None:
        for small, large, linear in ((1.0, 10.0, True), (1.0, 11.4, True), (1.0, 11.6, False), (1.0, 8.0, True)):
            self.assertIs(scaling.is_linear(small, large), linear, (small, large))

    def test_flat_is_a_little_more_at_most_and_below_the_bound(self) -> None:
        for small, large, flat in ((30, 30, True), (30, 33, True), (30, 40, False), (60, 63, True), (62, 65, False)):
            self.assertIs(scaling.is_flat(small, large), flat, (small, large))


class ReportTests(unittest.TestCase):
    def report(self, small: dict, large: dict) -> str:
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("small.json", "large.json")]
            for path, one in zip(paths, (small, large)):
                path.write_text(json.dumps(one))
            return scaling.report(*paths)

    def test_each_work_has_one_line_with_its_verdict(self) -> None:
        text = self.report(result(1_100_000, 1.0, 35.0), result(11_000_000, 12.0, 35.5))
        lines = [line for line in text.splitlines() if line.startswith("| godwit copy")]
        self.assertEqual(len(lines), 1)
        self.assertIn("| 1.00 | 12.00 | 12.0 |", lines[0])
        self.assertIn("**no**", lines[0])
        self.assertIn("| `copy` | 35.0 | 35.5 | 64 MiB, and flat | yes |", text)

    def test_the_time_of_the_machine_for_ten_times_the_bytes_is_in_the_same_row(self) -> None:
        small, large = result(1_100_000, 1.0, 35.0), result(11_000_000, 12.0, 35.5)
        self.assertIn("| sqlite3: 12.0 |  | at most 11.5 |", self.report(small, large))
        for one, seconds in ((small, 0.2), (large, 5.0)):
            for row in one["rows"].values():
                row["machine"] = {"work": "dd of the store", "seconds": seconds}
        self.assertIn("| sqlite3: 12.0 | dd of the store: 25.0 | at most 11.5 | **no** |", self.report(small, large))

    def test_what_only_one_scale_has_is_left_out(self) -> None:
        text = self.report(result(1, 1.0, 35.0, ("godwit copy", "godwit plan")), result(10, 10.0, 35.0))
        self.assertNotIn("godwit plan", text)
        self.assertIn("| godwit copy | 1.00 | 10.00 | 10.0 |", text)
