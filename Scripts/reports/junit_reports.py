"""JUnit documents against the schema of Jenkins (Tests/Schemas/junit-10.xsd), and against what it does not say."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as tree
from pathlib import Path
from typing import Iterator

SCHEMA = Path(__file__).resolve().parents[2] / "Tests" / "Schemas" / "junit-10.xsd"


def has_validator() -> bool:
    """Whether xmllint is here (Debian: libxml2-utils)."""
    return shutil.which("xmllint") is not None


def problems(path: str, content: bytes) -> Iterator[str]:
    """What is wrong with a document."""
    try:
        root = tree.fromstring(content)
    except tree.ParseError as error:
        yield f"is no XML: {error}"
        return
    if has_validator():
        done = subprocess.run(
            ["xmllint", "--noout", "--nonet", "--schema", str(SCHEMA), path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"xmllint: {done.stderr.strip()[:500]}"
    yield from _counts(root)


def _counts(root: tree.Element) -> Iterator[str]:
    """Numbers in attributes are numbers of elements; each suite is numbered, and has what strict readers ask for."""
    if root.tag != "testsuites" or root.attrib:
        yield "does not begin with a bare testsuites"
    for number, suite in enumerate(root):
        cases = suite.findall("testcase")
        for attribute, found in (
            ("tests", len(cases)), ("failures", len(suite.findall("testcase/failure"))),
            ("errors", len(suite.findall("testcase/error"))), ("skipped", len(suite.findall("testcase/skipped"))),
            ("id", number),
        ):
            if suite.get(attribute) != str(found):
                yield f"suite {number}: {attribute} is {suite.get(attribute)}, where there are {found}"
        parts = [part.tag for part in suite]
        if not suite.get("timestamp") or not suite.get("hostname") or not suite.get("package"):
            yield f"suite {number}: what strict readers ask for is missing"
        if parts != ["properties"] + ["testcase"] * len(cases) + ["system-out", "system-err"]:
            yield f"suite {number}: parts are missing, or in another order"
        if any(len(case) > 1 or not case.get("name") or not case.get("classname") for case in cases):
            yield f"suite {number}: a case has more than one verdict, or no name"
