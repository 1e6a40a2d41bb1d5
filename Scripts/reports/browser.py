"""Pages as a browser shows them: what Scripts/check-html runs."""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, NoReturn, Sequence

WIDTHS = (360, 1280)
SCHEMES = {"dark": 0, "light": 1}
"""Blink's numbers for what a user prefers."""
CONSOLE = re.compile(r"CONSOLE[^\n]*")
POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>')

PROBE = """<script>
const shown = [...document.querySelectorAll("body *")].filter(
  (e) => !e.closest(".scroll, svg, .hidden, .skip") && e.getBoundingClientRect().width > 0);
const cut = [...document.querySelectorAll("svg.picture")].filter((s) => s.getBoundingClientRect().width > 0).flatMap(
  (svg) => [...svg.querySelectorAll("text")].filter((text) => {
    const box = text.getBBox(), view = svg.viewBox.baseVal;
    return box.x < -0.5 || box.y < -0.5 || box.x + box.width > view.width + 0.5 || box.y + box.height > view.height + 0.5;
  }).map((text) => text.textContent));
const small = shown.filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
  && parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.className || e.tagName);
parent.document.documentElement.setAttribute("data-probe-" + window.name, JSON.stringify({
  width: innerWidth, content: document.documentElement.scrollWidth,
  wide: shown.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className || e.tagName),
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  ground: getComputedStyle(document.body).backgroundColor, cut, small,
}));
</script></body>"""


class Parser(argparse.ArgumentParser):
    """Ends with 64, as Godwit does, where the command line is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{self.prog}: {message}\n")


class Browser:
    """Headless Chromium with a profile of its own."""

    def __init__(self, program: str, folder: str) -> None:
        self.program, self.folder = program, folder

    def run(self, page: Path, width: int, scheme: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Loads a page and waits for it."""
        return subprocess.run(
            [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={self.folder}/profile",
             f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", f"--window-size={width},900", *options,
             page.resolve().as_uri()],
            capture_output=True, text=True, timeout=120, check=False)

    def probe(self, pages: Sequence[Path], scheme: str) -> dict[tuple[Path, int], dict[str, Any]]:
        """What a script finds that is added to copies of the pages, whose policy would not let it run.

        The copies stand in frames: a window of Chromium's is never narrower than 500 pixels, and to start it for each
        page and width takes minutes.
        """
        frames, keys = [], []
        for page in pages:
            content = POLICY.sub(b"", page.read_bytes()).replace(b"</body>", PROBE.encode()).decode()
            for width in WIDTHS:
                frames.append(f'<iframe name="{len(keys)}" style="border: 0; width: {width}px; height: 800px" '
                              f'srcdoc="{html.escape(content)}"></iframe>')
                keys.append((page, width))
        outer = Path(self.folder) / "probed.html"
        outer.write_text('<!DOCTYPE html><html style="color-scheme: light dark"><body>' + "".join(frames), encoding="utf-8")
        shown = self.run(outer, max(WIDTHS), scheme, "--dump-dom").stdout
        found = {int(number): json.loads(html.unescape(value))
                 for number, value in re.findall(r'data-probe-([0-9]+)="([^"]*)"', shown)}
        return {key: found.get(number, {}) for number, key in enumerate(keys)}


def problems(browser: Browser, pages: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """What is wrong with pages."""
    for scheme in SCHEMES:
        for (page, width), found in browser.probe(pages, scheme).items():
            for problem in _judged(found, width, scheme):
                yield page, f"{width} px, {scheme}: {problem}"
    for page in pages:
        loaded = browser.run(page, 1280, "light", "--enable-logging=stderr", "--v=0", "--dump-dom")
        for line in CONSOLE.findall(loaded.stderr):
            yield page, f"says on the console: {line}"


def _judged(found: dict[str, Any], width: int, scheme: str) -> Iterator[str]:
    if not found:
        yield "was not shown"
        return
    if found["width"] != width or found["dark"] != (scheme == "dark"):
        yield f"was shown at {found['width']} px, dark: {found['dark']}"
    if found["content"] > found["width"] or found["wide"]:
        yield f"scrolls sideways ({found['content']} px): {sorted(set(found['wide']))[:5]}"
    if found["cut"]:
        yield f"labels outside of their picture: {found['cut'][:5]}"
    if found["small"]:
        yield f"text below 12 px: {sorted(set(found['small']))[:5]}"
    if (found["ground"] == "rgb(255, 255, 255)") == (scheme == "dark"):
        yield f"the ground is {found['ground']}"


def shoot(browser: Browser, page: Path, folder: Path) -> None:
    """Keeps a picture of the page in each width and scheme."""
    for scheme in SCHEMES:
        for width in (390, 1280):
            target = folder / f"{page.stem}-{scheme}-{width}.png"
            browser.run(page, width, scheme, f"--screenshot={target}", f"--window-size={width},3600")


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    parser = Parser(prog="check-html", description="Load HTML reports in headless Chromium and say what is wrong.")
    parser.add_argument("--required", action="store_true", help="exit 77 where nothing can be checked")
    parser.add_argument("--shots", metavar="FOLDER", help="keep a picture of each page here")
    parser.add_argument("path", nargs="+", help="a page, or a folder of pages")
    options = parser.parse_args(arguments)
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome")
    program = next((found for name in names if name and (found := shutil.which(name))), None)
    if program is None:
        print("SKIPPED: Chromium is not here (Debian: chromium). No page was looked at.", file=sys.stderr)
        return 77 if options.required else 0
    pages = [page for path in map(Path, options.path)
             for page in (sorted(path.glob("*.html")) if path.is_dir() else [path])]
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program, folder)
        found = list(problems(browser, pages))
        for page, problem in found[:200]:
            print(f"{page}: {problem}")
        for page in pages if options.shots else []:
            Path(options.shots).mkdir(parents=True, exist_ok=True)
            shoot(browser, page, Path(options.shots))
    bad = len({page for page, _ in found})
    print(f"check-html: {len(pages)} pages, {bad} with something wrong")
    return 1 if bad or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
