"""When a run through the shim that writes short counts as having shown something."""

from __future__ import annotations

import unittest

from faults.limits import least_calls


class LeastCallsTests(unittest.TestCase):
    def test_small_parts_take_many_calls(self) -> None:
        for most in (1, 2, 7, 24, 100, 511, 512, 513):
            self.assertEqual(least_calls(most), 10, most)

    def test_large_parts_may_take_few_but_never_none(self) -> None:
        for most in (4095, 4096):
            self.assertEqual(least_calls(most), 1, most)


if __name__ == "__main__":
    unittest.main()
