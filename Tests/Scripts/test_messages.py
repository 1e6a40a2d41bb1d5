"""The catalogue of warnings has every code of the sources, and no other."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "messages.md"


def of_sources() -> set[str]:
    """The codes that warnings are made with, and those of logs (`LogGap`)."""
    codes: set[str] = set()
    for path in ROOT.glob("Sources/**/*.swift"):
        text = path.read_text(encoding="utf-8")
        codes.update(re.findall(r'Warning\(\s*"(\w+)"', text))
        if path.name == "LogGap.swift":
            codes.update(re.findall(r'case \w+ = "(\w+)"', text))
    return codes


def of_page() -> set[str]:
    """The codes in the first column of its tables."""
    rows = re.findall(r"^\| (`[^|]*)\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {code for row in rows for code in re.findall(r"`(\w+)`", row)}


class MessagesTests(unittest.TestCase):
    def test_every_code_is_on_the_page_and_every_code_of_the_page_exists(self) -> None:
        self.assertGreater(len(of_sources()), 100)
        self.assertEqual(sorted(of_sources() - of_page()), [])
        self.assertEqual(sorted(of_page() - of_sources()), [])


if __name__ == "__main__":
    unittest.main()
