"""Runs the commands of a page of documentation and compares their output with what the page says.

A recipe is a block marked `sh`; what it prints is the block marked `text` right behind it, or nothing. A comment before
it, `<!-- needs: jq, python3 duckdb -->`, names the commands it needs, and with `python3` a package that must be there.
All run in one folder, in the page's order, so that a later one finds what an earlier one made.
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
PAGE = REPOSITORY / "docs" / "using-exports.md"
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
    """Where the output stands in the page; the end of the commands twice where there is none."""


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
    """A folder with the sample beside it, in which `godwit` is the build to be shown and `python3` this Python."""

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
        beside = Path(sys.executable).parent
        path = os.pathsep.join([str(tools), os.environ.get("PATH", os.defpath), str(beside)])
        self.environment = kept | {
            "PATH": path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "TMPDIR": str(folder)}

    @staticmethod
    def _forward(place: Path, target: str) -> None:
        # Not a link: Python finds its packages beside the file it was started as.
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
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", recipe.commands], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return done.returncode, done.stdout


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    parser = argparse.ArgumentParser(prog="check-recipes", description="Run the commands of a page and compare.")
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to show")
    parser.add_argument("--page", type=Path, default=PAGE, help="another page than the repository's")
    parser.add_argument("--update", action="store_true", help="write what is printed into the page")
    options = parser.parse_args(arguments)
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    page = options.page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="godwit-recipes-") as folder:
        kitchen = Kitchen(Path(folder).resolve(), options.binary.resolve())
        return check(kitchen, page, options.page if options.update else None)


def check(kitchen: Kitchen, page: str, update: Path | None = None) -> int:
    """Runs all recipes of a page; with `update` the page is written anew."""
    recipes = read(page)
    ran = wrong = 0
    printed: list[tuple[Recipe, str]] = []
    for recipe in recipes:
        missing = [need for need in recipe.needs if kitchen.lacks(need)]
        if missing:
            print(f"SKIPPED: the recipe of line {recipe.line} needs {', '.join(missing)}.", file=sys.stderr)
            continue
        ran += 1
        status, output = kitchen.cook(recipe)
        printed.append((recipe, output))
        if status != 0 or (output != recipe.output and update is None):
            wrong += 1
            print(f"check-recipes: the recipe of line {recipe.line} " + (
                f"ends with {status}:" if status else "prints something else:"))
            print("\n".join(difflib.unified_diff(
                recipe.output.splitlines(), output.splitlines(), "on the page", "printed", lineterm="")))
    if update is not None and not wrong:
        for recipe, output in reversed(printed):
            start, end = recipe.span
            text = output if start != end or not output else f"\n```text\n{output}```\n"
            page = page[:start] + text + page[end:]
        update.write_text(page, encoding="utf-8")
    print(f"check-recipes: {ran} of {len(recipes)} recipes ran, {wrong} wrong")
    return 1 if wrong or not recipes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
