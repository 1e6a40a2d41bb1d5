"""The faults fit the sources as they are, and cover all targets."""

from __future__ import annotations

import unittest
from pathlib import Path

from mutations.faults import FAULTS, Fault

SOURCES = Path(__file__).resolve().parents[3] / "Sources"


class FaultsTests(unittest.TestCase):
    def test_every_fault_changes_one_expression_of_the_sources(self) -> None:
        for number, fault in enumerate(FAULTS, 1):
            with self.subTest(file=fault.file):
                source = (SOURCES / fault.file).read_text(encoding="utf-8")
                self.assertEqual(fault.applied(source, number).count(f"isFaultSwitchedOn({number})"), 1)

    def test_every_target_in_swift_has_a_fault(self) -> None:
        targets = {path.parent.name if path.parent.parent == SOURCES else path.relative_to(SOURCES).parts[0]
                   for path in SOURCES.rglob("*.swift")}
        without_expressions = {"Libc", "FoundationLite"}
        self.assertEqual(targets - without_expressions - {fault.target for fault in FAULTS}, set())

    def test_both_expressions_stay_in_the_line(self) -> None:
        fault = Fault("Target/File.swift", "if ‹a < b› {", "a <= b")
        self.assertEqual(fault.applied("if a < b { }", 3), "if (isFaultSwitchedOn(3) ? (a <= b) : (a < b)) { }")

    def test_an_expression_that_is_there_twice_is_an_error(self) -> None:
        with self.assertRaises(LookupError):
            Fault("Target/File.swift", "‹a›", "b").applied("a a", 1)


if __name__ == "__main__":
    unittest.main()
