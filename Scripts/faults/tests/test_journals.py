"""What is wrong with a journal is found, and what a disturbed pass may leave is not."""

from __future__ import annotations

import json
import unittest

from faults.journals import Journal

HEADER = {"messageType": "fleet", "command": "run", "settings": "a", "startedAt": "2026-11-20T07:00:00.000Z"}
SUMMARY = {"messageType": "summary", "counts": {"completed": 1, "failed": 0}}


def row(name: str, verdict: str = "completed") -> dict:
    return {"messageType": "container", "entry": {"container": name, "verdict": verdict}}


def written(*lines: dict | bytes) -> bytes:
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)


class JournalTests(unittest.TestCase):
    def assert_found(self, text: str, *lines: dict | bytes) -> None:
        faults = Journal.read(written(*lines)).faults
        self.assertTrue(any(text in fault for fault in faults), f"'{text}' is not among {faults}")

    def assert_good(self, *lines: dict | bytes) -> None:
        self.assertEqual(Journal.read(written(*lines)).faults, [])

    def test_a_journal_that_is_empty_or_whole(self) -> None:
        self.assert_good()
        self.assert_good(HEADER, row("a"), SUMMARY)
        self.assert_good(HEADER, row("a", "failed"), SUMMARY, HEADER, row("a"), SUMMARY)

    def test_headers_of_two_passes_differ_by_their_time_alone(self) -> None:
        self.assert_good(HEADER, HEADER | {"startedAt": "2026-11-21T07:00:00.000Z", "folder": "./c"})
        self.assert_found("not alike", HEADER, HEADER | {"settings": "b"})

    def test_a_torn_line_is_followed_by_a_header(self) -> None:
        self.assert_good(HEADER, b'{"messageType":"cont', HEADER, row("a"), SUMMARY)
        self.assert_good(b'{"messageType":"fl', HEADER)
        self.assert_found("line 2 is torn", HEADER, b'{"messageType":"cont', row("a"))
        self.assert_found("line 2 is torn", HEADER, b'{"messageType":"cont')

    def test_a_last_line_without_its_end_counts_for_nothing(self) -> None:
        journal = Journal.read(written(HEADER) + json.dumps(row("a")).encode()[:-3])
        self.assertEqual((journal.faults, journal.ends_torn, journal.names), ([], True, set()))
        self.assertIn("torn", journal.faults_at_end(set())[0])

    def test_what_a_power_cut_leaves_of_lines(self) -> None:
        self.assert_good(HEADER, b"\0" * 90 + json.dumps(SUMMARY).encode())
        self.assert_good(HEADER, b'{"messageType":"cont' + b"\0" * 90 + json.dumps(SUMMARY).encode(), HEADER)
        self.assert_good(b"\0" * 500, HEADER)

    def test_done_twice(self) -> None:
        self.assert_found("a is done twice", HEADER, row("a"), row("a", "unchanged"))
        self.assert_found("a is done twice", HEADER, row("a"), SUMMARY, HEADER, row("a", "failed"))
        self.assert_good(HEADER, row("a", "failed"), HEADER, row("a", "unchanged"))

    def test_lines_out_of_their_order(self) -> None:
        self.assert_found("does not begin with a header", row("a"))
        self.assert_found("follows the summary", HEADER, SUMMARY, row("a"))
        self.assert_found("of the kind note", HEADER, {"messageType": "note"})

    def test_the_last_word_counts(self) -> None:
        journal = Journal.read(written(HEADER, row("a", "failed"), HEADER, row("a"), row("b", "failed")))
        self.assertTrue(journal.is_done("a"))
        self.assertFalse(journal.is_done("b") or journal.is_done("c"))
        self.assertEqual([line["entry"]["verdict"] for line in journal.entries("a")], ["failed", "completed"])
        self.assertIsNone(journal.last("c"))


class EndTests(unittest.TestCase):
    def faults(self, *lines: dict | bytes, names: str = "a", failing: str = "") -> list[str]:
        return Journal.read(written(*lines)).faults_at_end(set(names), frozenset(failing))

    def test_a_pass_that_came_to_its_end(self) -> None:
        self.assertEqual(self.faults(HEADER, row("a"), SUMMARY), [])
        counts = {"counts": {"completed": 1, "failed": 1}}
        self.assertEqual(
            self.faults(HEADER, row("a"), row("b", "failed"), SUMMARY | counts, names="ab", failing="b"), [])

    def test_an_end_that_is_none(self) -> None:
        for lines, names, failing, text in (
            ((), "", "", "no summary"), ((HEADER, row("a")), "a", "", "no summary"),
            ((HEADER, row("a"), SUMMARY), "ab", "", "other containers"),
            ((HEADER, row("a", "failed"), SUMMARY), "a", "", "last word is wrong"),
            ((HEADER, row("a"), SUMMARY), "a", "a", "last word is wrong"),
            ((HEADER, row("a"), SUMMARY | {"counts": {"completed": 2}}), "a", "", "the summary counts"),
        ):
            with self.subTest(text):
                found = self.faults(*lines, names=names, failing=failing)
                self.assertTrue(any(text in fault for fault in found), found)


if __name__ == "__main__":
    unittest.main()
