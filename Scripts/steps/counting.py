"""Reads from what a step printed how many checks passed, failed and were skipped.

Each step runs a tool with closing lines of its own. A step whose tool counts nothing is one check: its exit status.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

COLOR = re.compile(r"\x1b\[[0-9;]*m")
SWIFT_SUMMARY = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)")
SWIFT_FAILED = re.compile(r"^✘ Test (?!run with).* failed after ")
SWIFT_SKIPPED = re.compile(r'^➜ Test .* skipped(?:: "(.*)")?\.?$')
UNITTEST_COUNT = re.compile(r"^Ran (\d+) tests? in ")
UNITTEST_FAILED = re.compile(r"\b(?:failures|errors|unexpected successes)=(\d+)")
UNITTEST_SKIPPED = re.compile(r"\.\.\. skipped ['\"](.*)['\"]$")
#: "crash: 149 points, 0 failed", "audit: 92 commands, 0 failed, …".
SWEEP = re.compile(r"^[\w-]+: (\d+) [\w ]+, (\d+) failed\b")
#: "xml-plist: 4711 runs, 0 findings, 4 s".
FUZZED = re.compile(r"^[\w-]+: \d+ runs, (\d+) findings, ")
SKIPPED = re.compile(r"\bSKIPPED:? ?(.*)")


@dataclass
class Counts:
    """How many checks passed and failed, and how many were skipped for which reason."""

    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def swift_tests(lines: list[str]) -> Counts:
    """Counts the tests of Swift Testing; a run that closed without its summary line counts none."""
    counts = Counts()
    for line in lines:
        if summary := SWIFT_SUMMARY.search(line):
            counts.passed += int(summary[1])
        elif SWIFT_FAILED.match(line):
            counts.failed += 1
        elif skipped := SWIFT_SKIPPED.match(line):
            counts.skipped[skipped[1] or "no reason is given"] += 1
    # The summary counts tests that failed or were skipped, too.
    counts.passed = max(0, counts.passed - counts.failed - counts.skipped.total())
    return counts


def unittests(lines: list[str]) -> Counts:
    """Counts the tests of Python's unittest, run with -v, over any number of calls."""
    counts = Counts()
    for line in lines:
        if ran := UNITTEST_COUNT.match(line):
            counts.passed += int(ran[1])
        elif line.startswith("FAILED ("):
            counts.failed += sum(map(int, UNITTEST_FAILED.findall(line)))
        elif skipped := UNITTEST_SKIPPED.search(line):
            counts.skipped[skipped[1]] += 1
    counts.passed -= counts.failed + counts.skipped.total()
    return counts


def one_check(lines: list[str]) -> Counts:
    """Counts the step itself as one check, and what it says that it skipped."""
    counts = Counts(skipped=skipped_parts(lines))
    # A step that did nothing but say why it can't run here has checked nothing.
    said = [line for line in lines if line.strip()]
    counts.passed = 0 if said and all(SKIPPED.search(line) for line in said) else 1
    return counts


def sweep(lines: list[str]) -> Counts:
    """Counts the points of a sweep by the closing lines of its parts."""
    counts = Counts(skipped=skipped_parts(lines))
    for line in lines:
        if part := SWEEP.match(line):
            counts.passed += int(part[1]) - int(part[2])
            counts.failed += int(part[2])
    return counts


def fuzzing(lines: list[str]) -> Counts:
    """Counts the targets of the fuzzer: each is one check, however many inputs it tried."""
    counts = Counts(skipped=skipped_parts(lines))
    for line in lines:
        if part := FUZZED.match(line):
            counts.failed += int(part[1]) > 0
            counts.passed += int(part[1]) == 0
    return counts


def skipped_parts(lines: list[str]) -> Counter[str]:
    """The reasons of what a step says that it skipped."""
    found: Counter[str] = Counter()
    for line in lines:
        if re.match(r"^\d+ of \d+ parts were SKIPPED", line):
            continue
        if skipped := SKIPPED.search(line):
            found[(skipped[1].strip() or line.strip()).strip(", ")] += 1
    return found
