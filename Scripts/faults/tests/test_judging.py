"""The judge of hostile input finds what it is there to find."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from ..calling import Call
from ..fingerprint import differences, fingerprint
from ..hostile import cases
from ..hostile.badinputs.storemaking import MARK
from ..hostile.judging import faults, tells_what_was_done

LINE = "godwit: error: a.plist is damaged.\nhint: Restore it.\n"
BAD = frozenset({65})


def judged(code: int | None, errors: str = LINE, output: str = "", words: tuple[str, ...] = ("run",)) -> list[str]:
    return faults(Call(words, code, output.encode(), errors.encode(errors="surrogateescape"), 0.1), BAD)


class JudgingTests(unittest.TestCase):
    def test_a_good_refusal(self) -> None:
        self.assertEqual(judged(65), [])

    def test_a_signal_a_hang_and_other_codes(self) -> None:
        self.assertIn("SIGSEGV", judged(-11)[0])
        self.assertIn("hung", judged(None)[0])
        self.assertIn("instead of 65", judged(66)[0])
        self.assertIn("not documented", judged(70)[0])

    def test_lines(self) -> None:
        for errors in ["", "something else\n", LINE + "more\n", "godwit: error: x\n", "note\n" + LINE]:
            self.assertNotEqual(judged(65, errors), [], errors)
        self.assertIn("wrote to standard output", judged(65, output="x")[0])

    def test_what_may_never_be_shown(self) -> None:
        for part in ["\x1b[31m", "\u202e", "\udcff", MARK, "Fatal error: nil"]:
            self.assertNotEqual(judged(65, LINE.replace("damaged", part)), [], repr(part))

    def test_json(self) -> None:
        good = '{"messageType":"error","code":65,"stage":"legacy","message":"m","hint":"h"}\n'
        self.assertEqual(judged(65, good, words=("run", "--json")), [])
        for errors in [LINE, good + good, good.replace("65", "66"), good.replace('"hint":"h"', '"x":1')]:
            self.assertNotEqual(judged(65, errors, words=("run", "--json")), [], errors)

    def test_what_earlier_stages_did_is_told_in_either_form(self) -> None:
        def reports(errors: str, *words: str) -> bool:
            return tells_what_was_done(Call(words, 65, b"", errors.encode(), 0.1))

        done = '{"messageType":"error","code":65,"report":{"schema":{"outcome":"done"},"copy":{"outcome":"failed"}}}\n'
        self.assertTrue(reports(done, "run", "--json"))
        self.assertTrue(reports("What is shown as done stays done.\n" + LINE, "migrate"))
        for errors in [done.replace("done", "alreadyDone"), '{"report":null}\n', "{}", LINE, ""]:
            self.assertFalse(reports(errors, "run", "--json"), errors)
        self.assertFalse(reports(done, "run") or reports(done, "export", "--json") or reports(LINE, "run"))

    def test_changes_are_seen(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a"
            path.write_bytes(b"1")
            before = fingerprint(Path(folder))
            path.write_bytes(b"2")
            self.assertIn("changed", differences(before, fingerprint(Path(folder)))[0])
            path.unlink()
            self.assertIn("a is gone", differences(before, fingerprint(Path(folder))))

    def test_every_case_has_a_name_of_its_own(self) -> None:
        names = [case.name for case in cases()]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 900)


if __name__ == "__main__":
    unittest.main()
