"""Every link and every picture of a document names a file and a heading that exist, and a picture has a text."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
#: The files of pictures, which are in HTML because they have a light and a dark variant.
PICTURE = re.compile(r'<(?:img|source)\b[^>]*\bsrc(?:set)?="([^"]+)"')
IMAGE = re.compile(r"<img\b[^>]*>")
PAGES = ("*.md", "docs/*.md", "docs/ci/*.md", "SampleData/*/README.md")


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(path: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)}


def broken(page: Path) -> list[str]:
    """The links of a page that refer to nothing; those to the web are not followed."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = []
    for link in LINK.findall(text) + PICTURE.findall(text):
        file, _, heading = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or heading and heading not in anchors(target):
            found.append(link)
    return found


class LinkTests(unittest.TestCase):
    def test_no_document_has_a_broken_link(self) -> None:
        pages = [page for pattern in PAGES for page in ROOT.glob(pattern)]
        self.assertGreater(len(pages), 20)
        self.assertEqual({str(page.relative_to(ROOT)): links for page in pages if (links := broken(page))}, {})

    def test_a_missing_file_and_a_missing_heading_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text("# The `page` of all\n[a](#the-page-of-all) [b](page.md#gone) [c](gone.md) [d](https://example.com/x)\n")
            self.assertEqual(broken(page), ["page.md#gone", "gone.md"])

    def test_a_missing_picture_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text('<picture>\n  <source media="(x)" srcset="dark.svg">\n  <img src="light.svg" alt="A">\n</picture>\n')
            (Path(folder) / "light.svg").write_text("<svg/>")
            self.assertEqual(broken(page), ["dark.svg"])

    def test_every_picture_has_a_text_and_is_on_a_page(self) -> None:
        shown = set()
        for page in (page for pattern in PAGES for page in ROOT.glob(pattern)):
            text = page.read_text(encoding="utf-8")
            shown |= {(page.parent / name).resolve() for name in PICTURE.findall(text)}
            for image in IMAGE.findall(text):
                self.assertRegex(image, r' alt="[^"]{20,}"', page.name)
        pictures = {path for path in (ROOT / "docs/images").iterdir() if path.suffix in (".svg", ".png")}
        self.assertGreater(len(pictures), 7)
        self.assertEqual(pictures - shown, set())


if __name__ == "__main__":
    unittest.main()
