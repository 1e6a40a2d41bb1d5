"""Pictures of the terminal keep columns and colors, and do not differ by durations."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from images import ansi, drawing, terminal

SVG = "{http://www.w3.org/2000/svg}"
OUTPUT = "\x1b[32m✓\x1b[0m \x1b[1mcopy  \x1b[0m 3 <records> & \"more\"\n\n  plain\n"


class ANSITests(unittest.TestCase):
    def test_each_piece_has_its_column_and_its_style(self) -> None:
        self.assertEqual(ansi.lines(OUTPUT)[0], [
            ansi.Piece(0, "✓", "good"), ansi.Piece(1, " ", "plain"), ansi.Piece(2, "copy  ", "strong"),
            ansi.Piece(8, ' 3 <records> & "more"', "plain")])

    def test_an_empty_line_stays(self) -> None:
        self.assertEqual([len(line) for line in ansi.lines(OUTPUT)], [4, 0, 1])

    def test_an_unknown_style_and_another_sequence_are_errors(self) -> None:
        for text in ("\x1b[35mx\x1b[0m", "\x1b[Kx", "a\rb", "a\x07"):
            with self.assertRaises(ValueError, msg=repr(text)):
                ansi.lines(text)

    def test_every_style_of_the_sources_is_known(self) -> None:
        source = Path(__file__).resolve().parents[3] / "Sources/GodwitRender/Text/TextStyle.swift"
        paints = dict((number, name) for name, number in
                      re.findall(r'^    case (\w+) = "(\d+)"$', source.read_text(encoding="utf-8"), re.MULTILINE))
        self.assertGreater(len(paints), 4)
        self.assertEqual({number: name for number, name in ansi.STYLES.items() if number != "0"}, paints)


class DrawingTests(unittest.TestCase):
    def texts(self, scheme: str = "light") -> list[ElementTree.Element]:
        root = ElementTree.fromstring(drawing.terminal(OUTPUT, "A & B", scheme))
        self.assertEqual(root.findtext(f"{SVG}title"), "A & B")
        return root.findall(f"{SVG}text")

    def test_each_word_is_at_its_column(self) -> None:
        found = [(text.text, text.get("x"), text.get("y"), text.get("class")) for text in self.texts()]
        self.assertEqual(found, [
            ("✓", "16", "30", "good"), ("copy", "32.8", "30", "strong"), ("3", "91.6", "30", "plain"),
            ("<records>", "108.4", "30", "plain"), ("&", "192.4", "30", "plain"), ('"more"', "209.2", "30", "plain"),
            ("plain", "32.8", "70", "plain")])

    def test_a_word_has_the_width_of_its_columns_in_every_font(self) -> None:
        self.assertEqual([text.get("textLength") for text in self.texts()], [None, "33.6", None, "75.6", None, "50.4", "42"])

    def test_the_text_of_a_picture_can_be_read_back(self) -> None:
        self.assertEqual(drawing.shown(drawing.terminal(OUTPUT, "A", "dark")), ansi.plain(OUTPUT))

    def test_a_picture_loads_nothing(self) -> None:
        picture = drawing.terminal(OUTPUT, "A", "dark").replace("http://www.w3.org/2000/svg", "")
        for word in ("http", "url(", "href", "<script", "@import"):
            self.assertNotIn(word, picture)

    def test_text_has_enough_contrast_in_both_schemes(self) -> None:
        for scheme, colors in drawing.SCHEMES.items():
            for style in ansi.STYLES.values():
                self.assertGreaterEqual(contrast(colors[style], colors["ground"]), 4.5, f"{scheme} {style}")


class TimesTests(unittest.TestCase):
    def test_durations_and_instants_are_those_that_the_picture_shows(self) -> None:
        shown = "Done in 36 ms.\nbackups/2026-11-21T060000Z"
        printed = "Done in \x1b[1m1,204 ms.\x1b[0m\nbackups/2026-11-28T181814Z"
        self.assertEqual(terminal.with_times_of(printed, shown), "Done in \x1b[1m36 ms.\x1b[0m\nbackups/2026-11-21T060000Z")

    def test_another_number_of_times_is_a_difference(self) -> None:
        self.assertEqual(terminal.with_times_of("in 2 s and 3 s", "in 1 s"), "in 2 s and 3 s")

    def test_another_text_stays_another_text(self) -> None:
        self.assertEqual(terminal.with_times_of("Failed in 2 s", "Done in 1 s"), "Failed in 1 s")


class OutputTests(unittest.TestCase):
    def run_python(self, program: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return terminal.output([sys.executable, "-c", program], Path(folder), os.environ)

    def test_the_command_has_a_terminal_of_a_fixed_width(self) -> None:
        program = "import os, sys; print(sys.stdout.isatty(), sys.stdin.isatty(), os.get_terminal_size(1).columns)"
        self.assertEqual(self.run_python(program), "True False 100\n")

    def test_a_long_output_is_complete(self) -> None:
        self.assertEqual(len(self.run_python("print(('x' * 99 + '\\n') * 2000, end='')")),
                         200_000)

    def test_a_command_that_fails_is_an_error_with_its_output(self) -> None:
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            self.run_python("print('no store'); raise SystemExit(66)")
        self.assertEqual((caught.exception.returncode, caught.exception.output), (66, "no store\n"))


def contrast(one: str, other: str) -> float:
    """The contrast of two colors, by WCAG 2."""
    lights = sorted(map(luminance, (one, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(color: str) -> float:
    parts = [int(color[index:index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


if __name__ == "__main__":
    unittest.main()
