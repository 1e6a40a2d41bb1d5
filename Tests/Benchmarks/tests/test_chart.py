"""The chart and the headline figures are made from kept results, and a check finds what is not."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from Benchmarks import chart

SVG = "{http://www.w3.org/2000/svg}"


def results(name: str) -> dict:
    return json.loads((chart.ROOT / name).read_text(encoding="utf-8"))


class PictureTests(unittest.TestCase):
    def bars(self, scheme: str) -> list[tuple[str, float]]:
        root = ElementTree.fromstring(chart.chart(results(chart.SMALL), scheme))
        return [(bar.get("class", ""), float(bar.get("width", ""))) for bar in root.findall(f"{SVG}rect")
                if bar.get("x") == str(chart.LEFT)]

    def test_bars_are_as_long_as_the_seconds(self) -> None:
        rows = [chart.row(results(chart.SMALL), works) for works in chart.ROWS]
        seconds = [row[side]["seconds"] for row in rows for side in ("godwit", "yardstick")]
        for scheme in chart.SCHEMES:
            bars = self.bars(scheme)
            self.assertEqual([name for name, _ in bars], ["ours", "theirs"] * len(chart.ROWS))
            for (_, length), second in zip(bars, seconds):
                self.assertAlmostEqual(length, second / max(seconds) * (chart.WIDTH - chart.LEFT - chart.RIGHT), delta=0.1)

    def test_every_number_is_in_the_description(self) -> None:
        root = ElementTree.fromstring(chart.chart(results(chart.SMALL), "dark"))
        description = root.findtext(f"{SVG}desc") or ""
        for works in chart.ROWS:
            row = chart.row(results(chart.SMALL), works)
            for side in ("godwit", "yardstick"):
                self.assertIn(f"{row[side]['seconds']:.2f} s", description)

    def test_rows_in_which_godwit_is_slower_are_shown(self) -> None:
        rows = [chart.row(results(chart.SMALL), works) for works in chart.ROWS]
        self.assertTrue(any(row["godwit"]["seconds"] > row["yardstick"]["seconds"] for row in rows))


class HeadlineTests(unittest.TestCase):
    def test_the_links_lead_from_the_page_to_the_tables(self) -> None:
        small, large = results(chart.SMALL), results(chart.LARGE)
        self.assertIn("(../Tests/Benchmarks/results/scale-10.md)", chart.headlines(small, large, "../"))
        self.assertIn("(Tests/Benchmarks/results/scale-1.md)", chart.headlines(small, large, ""))

    def test_two_dates_are_both_named(self) -> None:
        small, large = results(chart.SMALL), results(chart.LARGE)
        large["measured"] = "2027-01-02"
        self.assertIn(f"measured on {small['measured']} and 2027-01-02", chart.headlines(small, large, ""))

    def test_memory_is_the_most_of_both_scales(self) -> None:
        small, large = results(chart.SMALL), results(chart.LARGE)
        small["memory"]["copy"], large["memory"]["copy"] = 70.2, 66
        self.assertIn("more than 70 MiB", chart.headlines(small, large, ""))


class UpdateTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        pictures = [chart.CHART.format(scheme=scheme) for scheme in chart.SCHEMES]
        for name in [chart.SMALL, chart.LARGE, *chart.PAGES, *pictures]:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(chart.ROOT / name, self.root / name)

    def update(self, is_check: bool) -> tuple[int, str]:
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            return chart.update(is_check, self.root), printed.getvalue()

    def change(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def test_the_pages_and_pictures_of_this_repository_are_made_from_its_results(self) -> None:
        self.assertEqual(self.update(is_check=True), (0, ""))

    def test_another_figure_on_a_page_is_found_and_written_again(self) -> None:
        before = (self.root / "README.md").read_text(encoding="utf-8")
        self.change("README.md", "as JSON in ", "as JSON in 0.")
        status, printed = self.update(is_check=True)
        self.assertEqual(status, 1)
        self.assertIn("README.md: not made from the kept results", printed)
        self.assertEqual(self.update(is_check=False), (0, "bench: README.md written\n"))
        self.assertEqual((self.root / "README.md").read_text(encoding="utf-8"), before)

    def test_new_results_are_found_in_pictures_and_pages(self) -> None:
        small = results(chart.SMALL)
        chart.row(small, chart.EXPORT)["godwit"]["seconds"] = 0.5
        (self.root / chart.SMALL).write_text(json.dumps(small), encoding="utf-8")
        self.assertEqual(self.update(is_check=True)[1].count("\n"), 4)

    def test_a_page_without_the_block_is_an_error(self) -> None:
        self.change("README.md", "<!-- end of figures -->", "")
        self.assertEqual(self.update(is_check=False), (1, "bench: README.md: 0 blocks of figures instead of 1\n"))

    def test_results_without_a_row_or_without_memory_are_an_error(self) -> None:
        self.change(chart.SMALL, '"integrity_check"', '"quick_check"')
        self.assertIn("no row with `godwit verify` and `integrity_check`", self.update(is_check=True)[1])
        shutil.copy2(chart.ROOT / chart.SMALL, self.root / chart.SMALL)
        (self.root / chart.LARGE).write_text(json.dumps(results(chart.LARGE) | {"memory": {}}), encoding="utf-8")
        self.assertIn("memory of the commands was not measured", self.update(is_check=True)[1])

    def test_missing_results_are_an_error_that_names_the_file(self) -> None:
        (self.root / chart.LARGE).unlink()
        self.assertIn("scale-10.json: No such file", self.update(is_check=True)[1])


if __name__ == "__main__":
    unittest.main()
