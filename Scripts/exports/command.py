"""The command: finds the exports, verifies each, and prints what is wrong."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple, NoReturn, Sequence

SHOWN = 20
"""The most lines about one file."""


class Verdict(NamedTuple):
    """The result for one file."""

    path: str
    kind: str
    """`document` or `lines`, packed or not; empty for a file that could not be read."""
    problems: list[str]


class Parser(argparse.ArgumentParser):
    """Exits 64, as Godwit does, if the command line is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    parser = Parser(prog="validate-exports", description="Verify exports against the schema and the contract.")
    parser.add_argument("--required", action="store_true", help="exit 77 where nothing can be verified")
    parser.add_argument("--minimum", type=int, default=1, metavar="N", help="fail where there are fewer exports")
    parser.add_argument("path", nargs="+", help="an export, or a folder of exports")
    options = parser.parse_args(arguments)
    try:
        import jsonschema  # noqa: F401  (whether it is here)
    except ImportError:
        print("SKIPPED: Python's package jsonschema is not here (Debian: python3-jsonschema). Nothing was verified.",
              file=sys.stderr)
        return 77 if options.required else 0
    verdicts = judge(files(options.path))
    return report(verdicts, options.minimum)


def files(paths: Sequence[str]) -> list[str]:
    """The files named, and those in folders named."""
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(str(file) for file in Path(path).rglob("*") if file.is_file() and file.name[0] != ".")
        else:
            found.append(path)
    return found


def judge(paths: Sequence[str]) -> list[Verdict]:
    """Verifies files, and of those with the same bytes one."""
    contents = [fingerprint(path) for path in paths]
    firsts = {content: path for content, path in reversed(list(zip(contents, paths)))}
    found = dict(zip(firsts, verify_all(list(firsts.values()))))
    return [found[content]._replace(path=path) for content, path in zip(contents, paths)]


def verify_all(paths: Sequence[str]) -> list[Verdict]:
    """Verifies many files several at a time, the largest first, so that no process waits for one at the end."""
    if len(paths) < 8:
        return [verify(path) for path in paths]
    largest_first = sorted(paths, key=size, reverse=True)
    with ProcessPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        found = dict(zip(largest_first, pool.map(verify, largest_first)))
    return [found[path] for path in paths]


def size(path: str) -> int:
    """In bytes; 0 if it cannot be read."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def fingerprint(path: str) -> bytes | str:
    """The same for files with the same bytes; the path of a file that cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return path


def verify(path: str) -> Verdict:
    """Verifies one file."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        return Verdict(path, "", [f"can't be read: {error.strerror}"])
    kind, problems = verify_bytes(content)
    return Verdict(path, kind, problems)


def verify_bytes(content: bytes) -> tuple[str, list[str]]:
    """What an export is, and what is wrong with it."""
    from . import document, packing, rules, schemas
    from .errors import Invalid

    packed = ", packed" if content.startswith(packing.GZIP) else ""
    try:
        export = document.take_apart(packing.unpack(content))
    except Invalid as error:
        return "", [str(error)]
    problems = [problem for name, value in export.units for problem in schemas.unfitting(name, value)]
    return export.layout + packed, problems + list(rules.problems(export))


def report(verdicts: Sequence[Verdict], minimum: int) -> int:
    """Prints what is wrong, then one line of numbers; returns the exit status."""
    for verdict in verdicts:
        for problem in verdict.problems[:SHOWN]:
            print(f"{verdict.path}: {problem}")
        if len(verdict.problems) > SHOWN:
            print(f"{verdict.path}: and {len(verdict.problems) - SHOWN} more")
    bad = sum(bool(verdict.problems) for verdict in verdicts)
    kinds = [verdict.kind for verdict in verdicts if not verdict.problems]
    lines = sum(kind.startswith("lines") for kind in kinds)
    packed = sum(kind.endswith("packed") for kind in kinds)
    print(f"validate-exports: {len(kinds)} valid ({len(kinds) - lines} documents, {lines} in JSON lines; "
          f"{packed} of them packed), {bad} not")
    if len(verdicts) < minimum:
        print(f"validate-exports: there are {len(verdicts)} exports, where at least {minimum} were expected")
        return 1
    return 1 if bad else 0
