"""Journals are read without Godwit, torn lines included."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from .. import journals

HEADER = json.dumps({"messageType": "fleet", "fleet": {"containers": 9}, "share": {"containers": 3}}).encode() + b"\n"
SUMMARY = b'{"messageType":"summary","counts":{}}\n'


def row(name: str, verdict: str = "completed") -> bytes:
    return json.dumps({"messageType": "container", "entry": {"container": name, "verdict": verdict}}).encode() + b"\n"


class JournalTests(unittest.TestCase):
    def test_a_whole_one(self) -> None:
        found = journals.parsed(HEADER + row("a") + row("b", "failed") + row("c", "partial") + SUMMARY)
        self.assertEqual((found.share, found.headers, found.summaries, found.unreadable), (3, 1, 1, 0))
        self.assertEqual(found.rows, [("a", "completed"), ("b", "failed"), ("c", "partial")])
        self.assertEqual(found.done(), ["a", "c"])
        self.assertTrue(found.is_whole)

    def test_one_that_was_killed_and_went_on(self) -> None:
        torn = row("b")[:20]
        found = journals.parsed(HEADER + row("a") + torn + b"\n" + HEADER + row("b") + SUMMARY)
        self.assertEqual((found.headers, found.unreadable), (2, 1))
        self.assertEqual(found.done(), ["a", "b"])

    def test_done_twice_is_told_twice(self) -> None:
        self.assertEqual(journals.parsed(HEADER + row("a") + row("a", "unchanged")).done(), ["a", "a"])

    def test_zeroes_that_a_power_cut_leaves_are_no_line(self) -> None:
        self.assertEqual(journals.parsed(HEADER + b"\0\0\n").unreadable, 0)

    def test_what_is_no_journal(self) -> None:
        for text in (b"[]\n", b"{}\n", b"1\n", b"\xff\n", b'{"messageType":"container"}\n'):
            self.assertEqual(journals.parsed(text).unreadable, 1, text)

    def test_a_file_that_is_not_there_yet(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = journals.read(Path(folder) / journals.name(3, 8))
            self.assertEqual((found.share, found.rows, found.is_whole), (0, [], False))

    def test_names(self) -> None:
        self.assertEqual(journals.name(3, 8), "shard-3-of-8.jsonl")
