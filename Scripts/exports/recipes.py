"""Runs the commands of pages of documentation and compares their output with what the pages say.

A recipe is a block marked `sh`; what it prints is the block marked `text` right behind it, or nothing. A comment before
it, `<!-- needs: jq, python3 duckdb -->`, names the commands it needs, and with `python3` a package that must be there.
All of a page run in one folder and one environment, in the page's order, so that a later one finds what an earlier one
made or exported. How long something took differs every time: it is not compared, nor where lines break that say it.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Sequence

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "docs" / name for name in ("quickstart.md", "your-own-app.md", "cookbook.md", "using-exports.md")]
#: How long something took.
DURATION = re.compile(r"\b\d[\d.,]* (ms|s)\b")
BLOCK = re.compile(
    r"(?:^<!-- needs: (?P<needs>[^\n]*) -->\n+)?^```sh\n(?P<commands>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL)


class Recipe(NamedTuple):
    """Commands of a page and what they print."""

    line: int
    needs: list[str]
    commands: str
    output: str
    span: tuple[int, int]
    """The offsets of the output in the page; twice the end of the commands if there is no output."""


def read(page: str) -> list[Recipe]:
    """The recipes of a page, in its order."""
    recipes = []
    for found in BLOCK.finditer(page):
        needs = [need.strip() for need in (found["needs"] or "").split(",") if need.strip()]
        span = found.span("output") if found["output"] is not None else (found.end(), found.end())
        line = page.count("\n", 0, found.start("commands"))
        recipes.append(Recipe(line, needs, found["commands"], found["output"] or "", span))
    return recipes


class Kitchen:
    """A folder with the samples in it, in which `godwit` is the build to be shown and `python3` this Python."""

    def __init__(self, folder: Path, binary: Path) -> None:
        self.folder = folder / "work"
        tools = folder / "bin"
        self.folder.mkdir()
        tools.mkdir()
        for name in ("SampleData", "Migrations"):
            (self.folder / name).symlink_to(REPOSITORY / name)
        self._forward(tools / "godwit", str(binary))
        self._forward(tools / "python3", sys.executable)
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("GODWIT_", "PYTHONPATH", "SOURCE_DATE_EPOCH", "JQ_COLORS"))}
        tool_folder = Path(sys.executable).parent
        path = os.pathsep.join([str(tools), os.environ.get("PATH", os.defpath), str(tool_folder)])
        self.environment = kept | {
            "PATH": path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "TMPDIR": str(folder)}

    @staticmethod
    def _forward(place: Path, target: str) -> None:
        # Not a link: Python finds its packages next to the file that was started.
        place.write_text(f'#!/bin/sh\nexec "{target}" "$@"\n')
        place.chmod(0o755)

    def lacks(self, need: str) -> bool:
        """Whether something that a recipe needs is not here."""
        command, *package = need.split()
        if shutil.which(command, path=self.environment["PATH"]) is None:
            return True
        tries = ([command, "-c", f"import {name}"] for name in package)
        return any(subprocess.run(call, env=self.environment, capture_output=True).returncode for call in tries)

    def cook(self, recipe: Recipe) -> tuple[int, str]:
        """Runs the commands as a script; what they print and how they end."""
        exported = self.folder.parent / "exported"
        script = f"[ ! -e {exported} ] || . {exported}\n{recipe.commands}\nexport -p > {exported}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return done.returncode, done.stdout


def is_same(output: str, expected: str) -> bool:
    """Whether a command printed what was expected."""
    if not DURATION.search(expected):
        return output == expected
    return DURATION.sub("", output).split() == DURATION.sub("", expected).split()


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    parser = argparse.ArgumentParser(prog="check-recipes", description="Run the commands of pages and compare.")
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to show")
    parser.add_argument("--page", type=Path, action="append", help="only this page; can be given more than once")
    parser.add_argument("--update", action="store_true", help="write what is printed into the page")
    options = parser.parse_args(arguments)
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    statuses = []
    for path in options.page or PAGES:
        with tempfile.TemporaryDirectory(prefix="godwit-recipes-") as folder:
            kitchen = Kitchen(Path(folder).resolve(), options.binary.resolve())
            statuses.append(check(kitchen, path, options.update))
    return max(statuses)


def check(kitchen: Kitchen, path: Path, updates: bool = False) -> int:
    """Runs all recipes of a page; `updates` writes what they print into it."""
    page = path.read_text(encoding="utf-8")
    recipes = read(page)
    ran = wrong = 0
    printed: list[tuple[Recipe, str]] = []
    for recipe in recipes:
        missing = [need for need in recipe.needs if kitchen.lacks(need)]
        if missing:
            print(f"SKIPPED: the recipe of {path.name}:{recipe.line} needs {', '.join(missing)}.", file=sys.stderr)
            continue
        ran += 1
        status, output = kitchen.cook(recipe)
        printed.append((recipe, output))
        if status != 0 or not (updates or is_same(output, recipe.output)):
            wrong += 1
            print(f"check-recipes: the recipe of {path.name}:{recipe.line} " + (
                f"ends with {status}:" if status else "prints something else:"))
            print("\n".join(difflib.unified_diff(
                recipe.output.splitlines(), output.splitlines(), "on the page", "printed", lineterm="")))
    if updates and not wrong:
        for recipe, output in reversed(printed):
            start, end = recipe.span
            text = output if start != end or not output else f"\n```text\n{output}```\n"
            page = page[:start] + text + page[end:]
        path.write_text(page, encoding="utf-8")
    print(f"check-recipes: {path.name}: {ran} of {len(recipes)} recipes ran, {wrong} wrong")
    return 1 if wrong or not recipes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
