"""Every link of a document to another one leads to a file and a heading that exist."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(path: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)}


def broken(page: Path) -> list[str]:
    """The links of a page that refer to nothing; those to the web are not followed."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = []
    for link in LINK.findall(text):
        file, _, heading = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or heading and heading not in anchors(target):
            found.append(link)
    return found


class LinkTests(unittest.TestCase):
    def test_no_document_has_a_broken_link(self) -> None:
        pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/ci/*.md"), *ROOT.glob("SampleData/*/README.md")]
        self.assertGreater(len(pages), 20)
        self.assertEqual({str(page.relative_to(ROOT)): links for page in pages if (links := broken(page))}, {})

    def test_a_missing_file_and_a_missing_heading_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text("# The `page` of all\n[a](#the-page-of-all) [b](page.md#gone) [c](gone.md) [d](https://example.com/x)\n")
            self.assertEqual(broken(page), ["page.md#gone", "gone.md"])


if __name__ == "__main__":
    unittest.main()
