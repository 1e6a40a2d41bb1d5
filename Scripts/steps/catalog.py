"""Which steps the test command has: the short ones, and the longer ones of `--all`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from . import counting
from .step import Step

#: The folders of tests in Python, with the folder that their package begins in.
PYTHON_TESTS = [
    ("Scripts/sampledata/tests", "Scripts"), ("Scripts/faults/tests", "Scripts"), ("Scripts/fleets/tests", "Scripts"),
    ("Scripts/symbols/tests", "Scripts"), ("Scripts/steps/tests", "Scripts"), ("Scripts/mutations/tests", "Scripts"),
    ("Scripts/exports/tests", "Scripts"), ("Scripts/images/tests", "Scripts"),
    ("Scripts/reports/tests", "Scripts"), ("Tests/Scripts", "Tests"),
]
#: Tests that run in a process of their own: those of whole commands by the library, and by the executable.
PROCESSES = [r"^GodwitTests\.", r"^GodwitCLITests\."]
ISSUE = re.compile(r"^✘ Test .* recorded an issue|^\s*↳|^.*: (?:fatal )?error: |^error: |Fatal error: ")


def short_steps(
    exports: Path, reports: Path, are_all: bool, options: list[str], scratch: Path | None = None
) -> list[Step]:
    """What a newcomer runs: form, samples, the release build, all tests of it."""
    environment = (
        made(exports, reports) | {"GODWIT_PLAN_SEEDS": "150", "GODWIT_PROPERTY_ROUNDS": "1000"}
        if are_all else {"GODWIT_GENERATED": "few"}
    ) | ({"TMPDIR": str(scratch)} if scratch else {})
    return [
        Step("libraries", [["Scripts/install-libraries"]], is_required=True),
        Step("format", [["Scripts/lint"]]),
        Step("samples", [["Scripts/samples", "--check"]]),
        Step("scripts", [unittest(*folder) for folder in PYTHON_TESTS], counting.unittests, is_side_by_side=True),
        Step("build", [
            ["Scripts/build", "--build-tests", "--explicit-target-dependency-import-check", "error"],
            ["Scripts/check-sqlite", "BUILT/godwit"],
        ], failure=is_error, is_required=True),
        Step("manual page", [["Scripts/manual", "--check", "--binary", "BUILT/godwit"]]),
        Step("pictures", [["Scripts/pictures", "--check", "--binary", "BUILT/godwit"]]),
        Step("tests", tests(options), counting.swift_tests, environment, is_issue, is_side_by_side=True),
    ]


def made(exports: Path, reports: Path) -> dict[str, str]:
    """Where tests leave what later steps validate."""
    return {"GODWIT_EXPORTS": str(exports), "GODWIT_REPORTS": str(reports)}


def tests(options: list[str]) -> list[list[str]]:
    """All tests, or those that options of `swift test` choose.

    All are run by three processes, because one test process has only one thread for each processor and most tests wait for
    files.
    """
    command = ["swift", "test", "-c", "release", "--skip-build"]
    if options:
        return [command + options]
    # Nothing is built, so no process needs the lock of the build folder.
    command.append("--ignore-lock")
    others = [word for pattern in PROCESSES for word in ("--skip", pattern)]
    return [command + others, *(command + ["--filter", pattern] for pattern in PROCESSES)]


def long_steps(exports: Path, reports: Path, has_options: bool) -> list[Step]:
    """What takes longer, and what needs tools that a newcomer may not have."""
    # With options, such as a filter, not all tests that make exports have run.
    minimum = "0" if has_options else "50"
    built = ["--binary", "BUILT/godwit"]
    return [
        Step("library pages", [["Scripts/docs"]]),
        Step("Apple platforms", [["Scripts/check-apple"]]),
        Step("exports", [["Scripts/validate-exports", "--minimum", minimum, str(exports)]]),
        Step("reports", [["Scripts/validate-reports", "--minimum", minimum, str(reports)]]),
        Step("pages in a browser", [["Scripts/check-html", "Tests/Golden/reports"]]),
        Step("steps of CI", [["Scripts/check-ci", *built]]),
        Step("recipes", [["Scripts/check-recipes", *built]]),
        Step("benchmark harness", [unittest("Tests/Benchmarks/tests", "Tests")], counting.unittests),
        Step("faults", [["Scripts/fault", "--quick", *built]], counting.sweep),
        Step("deployment files", [["Scripts/check-deploy"]]),
        Step("fleet on Slurm", [["Scripts/fleet", "--containers", "200", *built]]),
        # With a seed, the inputs are the same each time. It shares the packages of the build, and comes last because it
        # builds Godwit again in that folder.
        Step("fuzzing", [["Scripts/fuzz", "--time", "3", "--seed", "1", "--build", ".build"]], counting.fuzzing),
    ]


def unittest(folder: str, top: str) -> list[str]:
    """Runs the tests of a folder by the Python that has what they need."""
    found = subprocess.run(["Scripts/python-with", "jsonschema"], capture_output=True, text=True, check=False)
    return [found.stdout.strip() or sys.executable, "-B", "-m", "unittest", "discover", "-v", "-s", folder, "-t", top]


def is_issue(line: str) -> bool:
    """Whether a line of a run of tests says what failed, or goes on with that."""
    return ISSUE.match(line) is not None and "Testing Library Version" not in line and "Target Platform" not in line


def is_error(line: str) -> bool:
    """Whether a line of a build is an error."""
    return re.match(r"^.*: (?:fatal )?error: |^error: ", line) is not None
