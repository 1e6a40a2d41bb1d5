"""Golden reports are right, and each thing that is spoiled in them is found."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import HAS_CHROMIUM, HAS_SCHEMAS, HAS_XMLLINT
from .. import browser, json_reports, junit_reports, pages
from ..command import main

GOLDEN = Path(__file__).resolve().parents[3] / "Tests" / "Golden" / "reports"


def golden(name: str) -> bytes:
    """A report that was found right."""
    return (GOLDEN / name).read_bytes()


@unittest.skipUnless(HAS_SCHEMAS, "Python's package jsonschema is not here")
class JSONTests(unittest.TestCase):
    NAMES = ("run", "undo", "export", "import", "status", "history", "fleet", "shard", "error")

    def said(self, name: str, change: Any) -> str:
        value = json.loads(golden(f"{name}.json"))
        change(value)
        indent = None if name == "error" else 2
        text = json.dumps(value, indent=indent, sort_keys=name != "error", ensure_ascii=False)
        return "\n".join(json_reports.problems(text.encode() + b"\n"))

    def test_golden_reports_are_right(self) -> None:
        for name in self.NAMES:
            self.assertEqual(list(json_reports.problems(golden(f"{name}.json"))), [], name)

    def test_an_unknown_member_is_found_in_every_object(self) -> None:
        def spoil(value: Any) -> int:
            if isinstance(value, dict):
                count = 1 + sum(spoil(inside) for inside in value.values())
                value["unknown"] = {"a": 1}
                return count
            return sum(map(spoil, value)) if isinstance(value, list) else 0
        for name in self.NAMES:
            objects = spoil(json.loads(golden(f"{name}.json")))
            lines = self.said(name, spoil).splitlines()
            self.assertGreaterEqual(len(lines), objects, name)

    def test_a_missing_member_is_found(self) -> None:
        for name, member in (("run", "outcome"), ("export", "sha256"), ("import", "counts"), ("status", "flag"),
                             ("history", "app"), ("error", "message")):
            self.assertIn(f'required ["{member}"]', self.said(name, lambda value, m=member: value.pop(m)))

    def test_wrong_values_are_found(self) -> None:
        def within(*path: Any) -> Any:
            def change(value: Any) -> None:
                for step in path[:-2]:
                    value = value[step]
                value[path[-2]] = path[-1]
            return change
        for name, change in (
            ("run", within("outcome", "perhaps")), ("run", within("run", "startedAt", "2026-11-21")),
            ("run", within("run", "id", "6f1d2c3b-0a4e-4b7c-9d21-5e8f7a6b3c10")), ("run", within("warnings", None)),
            ("run", within("legacy", "ledger", 0, "bucket", "lost")), ("run", within("copy", "entities", 0, "local", -1)),
            ("run", within("schema", "applied", 0, "checksum", "md5")), ("error", within("code", 1)),
            ("export", within("bytes", "81234")), ("status", within("phases", 0, "state", "odd")),
        ):
            self.assertIn("schema: $", self.said(name, change))

    def test_sums_that_do_not_add_up_are_found(self) -> None:
        self.assertIn("buckets", self.said("run", lambda value: value["legacy"]["buckets"].update(migrated=77)))
        self.assertIn("add up", self.said("run", lambda value: value["copy"]["entities"][0].update(local=1)))
        self.assertIn("groupCount", self.said("run", lambda value: value["dedupe"].update(groupCount=0)))

    def test_fleets_that_do_not_add_up_are_found(self) -> None:
        self.assertIn("are counted as failed", self.said("shard", lambda value: value["counts"].update(failed=9)))
        self.assertIn("add up to the containers", self.said("shard", lambda value: value["counts"].pop("failed")))
        self.assertIn("order of their names", self.said("shard", lambda value: value["containers"].reverse()))
        self.assertIn("order of their times", self.said("shard", lambda value: value["slowest"].reverse()))
        self.assertIn("no such shard", self.said("shard", lambda value: value["shard"].update(index=9)))
        self.assertIn("schema: $", self.said("shard", lambda value: value["containers"][0].update(verdict="fine")))

    def test_spelling(self) -> None:
        good = golden("history.json")
        for bad in (good + b"\n", good[:-1], good.replace(b"TrainLog", b"Train\x7fLog"), good.replace(b"d/", b"d\\/"),
                    b"[]\n", b"{}\n", b"{\n", b'{"runs": 1, "runs": 2}\n', good.replace(b'"app"', b'"zzz"'), b"\xff\n"):
            if bad != good:
                self.assertNotEqual(list(json_reports.problems(bad)), [], bad[:40])


class JUnitTests(unittest.TestCase):
    def said(self, content: bytes) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.xml"
            path.write_bytes(content)
            return "\n".join(junit_reports.problems(str(path), content))

    def test_golden_reports_are_right(self) -> None:
        for path in sorted(GOLDEN.glob("*.xml")):
            self.assertEqual(self.said(path.read_bytes()), "", path.name)

    def test_what_is_wrong_is_found(self) -> None:
        good = golden("troubled.xml")
        for old, new in ((b'failures="2"', b'failures="1"'), (b'skipped="1"', b'skipped="0"'), (b'id="1"', b'id="7"'),
                         (b"</testsuites>", b""), (b"<system-err></system-err>\n", b""), (b'tests="4"', b'tests="5"'),
                         (b"<testsuites>", b'<testsuites name="x">')):
            self.assertIn(old, good)
            self.assertNotEqual(self.said(good.replace(old, new, 1)), "", old)

    @unittest.skipUnless(HAS_XMLLINT, "xmllint is not here")
    def test_the_schema_is_asked(self) -> None:
        good = golden("run.xml")
        for old, new in ((b'time="0.412"', b'time="soon"'), (b"<properties>", b"<property/><properties>"),
                         (b'classname="', b'unknown="" classname="')):
            self.assertIn("xmllint: ", self.said(good.replace(old, new, 1)))


class PageTests(unittest.TestCase):
    def test_golden_pages_are_right(self) -> None:
        for path in sorted(GOLDEN.glob("*.html")):
            self.assertEqual(list(pages.problems(path.read_bytes())), [], path.name)

    def test_what_is_wrong_is_found(self) -> None:
        good = golden("plan.html")
        for old, new in (
            (b"<main", b"<script>1</script><main"), (b"</main>", b""), (b'lang="en"', b""), (b"<h3>", b"<h5>"),
            (b'href="#report"', b'href="https://example.com/"'), (b'href="#report"', b'href="#nowhere"'),
            (b'id="records"', b'id="checks"'), (b"<header>", b'<header onclick="x">'), (b"<h1>", b"<h1>\x1b"),
            (b"</style>", b"a { background: url(x) }</style>"), (b'role="img" aria-labelledby="broad-picture"', b""),
            (b"<p>", b'<p><img src="https://example.com/x">'), (b"width=device-width", b"width=980"),
        ):
            self.assertIn(old, good)
            self.assertNotEqual(list(pages.problems(good.replace(old, new, 1))), [], old)

    @unittest.skipUnless(HAS_CHROMIUM, "Chromium is not here")
    def test_a_browser_finds_what_is_wrong(self) -> None:
        good = golden("history.html")
        with tempfile.TemporaryDirectory() as folder:
            texts = {
                "": good, "scrolls sideways": good.replace(b"<h1>", b'<h1 style="width: 2000px">'),
                "console": good.replace(b"</main>", b"<script>1</script></main>"),
                "the ground": good.replace(b"--ground: #101418", b"--ground: #ffffff"),
                "below 12 px": good.replace(b"<h1>", b'<h1 style="font-size: 9px">'),
                "outside": good.replace(
                    b"<main id", b'<svg class="picture" viewBox="0 0 9 9"><text>too long</text></svg><main id'),
            }
            paths = {name: Path(folder) / f"{number}.html" for number, name in enumerate(texts)}
            for name, path in paths.items():
                path.write_bytes(texts[name])
            found = list(browser.problems(browser.Browser("chromium", folder), list(paths.values())))
        for name, path in paths.items():
            said = " ".join(problem for page, problem in found if page == path)
            self.assertEqual(said, "") if not name else self.assertIn(name, said)


class CommandTests(unittest.TestCase):
    def run_command(self, *arguments: str) -> tuple[int, str]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                return main(arguments), output.getvalue()
            except SystemExit as ending:
                return int(str(ending.code)), output.getvalue()

    @unittest.skipUnless(HAS_SCHEMAS and HAS_XMLLINT, "jsonschema or xmllint is not here")
    def test_a_folder_of_good_reports(self) -> None:
        self.assertEqual(self.run_command("--minimum", "7", str(GOLDEN))[0], 0)
        status, said = self.run_command("--minimum", "700", str(GOLDEN))
        self.assertEqual(status, 1)
        self.assertIn("at least 700", said)

    def test_one_bad_report_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "bad.html").write_text("<p>", encoding="utf-8")
            status, said = self.run_command("--minimum", "0", folder)
        self.assertEqual(status, 1)
        self.assertIn("bad.html: leaves ['p'] open", said)

    def test_a_wrong_command_line_is_64(self) -> None:
        self.assertEqual(self.run_command()[0], 64)


if __name__ == "__main__":
    unittest.main()
