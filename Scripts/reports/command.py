"""The command: finds the reports, verifies each, and prints what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Iterator, Sequence

from exports.command import SHOWN, Parser, files

from . import json_reports, junit_reports, pages


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    parser = Parser(prog="validate-reports", description="Verify reports against their contracts.")
    parser.add_argument("--required", action="store_true", help="exit 77 where something can't be verified")
    parser.add_argument("--minimum", type=int, default=1, metavar="N", help="fail where there are fewer JSON reports")
    parser.add_argument("path", nargs="+", help="a report (.json, .xml, .html), or a folder of reports")
    options = parser.parse_args(arguments)
    missing = missing_tools()
    for what in missing:
        print(f"SKIPPED: {what}", file=sys.stderr)
    if missing and options.required:
        return 77
    counts = {".json": 0, ".xml": 0, ".html": 0}
    bad = 0
    for path in map(Path, files(options.path)):
        if path.suffix not in counts or (path.suffix == ".json" and not has_schemas()):
            continue
        counts[path.suffix] += 1
        found = list(verify(path))
        bad += bool(found)
        for problem in found[:SHOWN]:
            print(f"{path}: {problem}")
    print(f"validate-reports: {counts['.json']} JSON, {counts['.xml']} JUnit, {counts['.html']} HTML; {bad} not valid")
    if has_schemas() and counts[".json"] < options.minimum:
        print(f"validate-reports: there are {counts['.json']} JSON reports, where at least {options.minimum} were expected")
        return 1
    return 1 if bad else 0


def has_schemas() -> bool:
    """Whether JSON Schema can be verified here."""
    try:
        import jsonschema  # noqa: F401  (whether it is here)
    except ImportError:
        return False
    return True


def missing_tools() -> list[str]:
    """What can't be verified here, and what that needs."""
    missing = []
    if not has_schemas():
        missing.append("Python's package jsonschema is not here (Debian: python3-jsonschema): no JSON was verified.")
    if not junit_reports.has_validator():
        missing.append("xmllint is not here (Debian: libxml2-utils): JUnit was not held against its schema.")
    return missing


def verify(path: Path) -> Iterator[str]:
    """What is wrong with one file."""
    content = path.read_bytes()
    if path.suffix == ".json":
        yield from json_reports.problems(content)
    elif path.suffix == ".xml":
        yield from junit_reports.problems(str(path), content)
    else:
        yield from pages.problems(content)
