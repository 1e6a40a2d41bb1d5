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
#: The tests that run the built executable.
COMMAND_LINE = r"^GodwitCLITests\."
#: The tests of whole commands by the library: about half of the time of the others.
PIPELINE = r"^GodwitTests\."
ISSUE = re.compile(r"^✘ Test .* recorded an issue|^\s*↳|^.*: (?:fatal )?error: |^error: |Fatal error: ")


def short_steps(exports: Path, reports: Path, are_all: bool, options: list[str]) -> list[Step]:
    """What a newcomer runs: form, samples, a debug build, all tests."""
    environment = (
        made(exports, reports) | {"GODWIT_PLAN_SEEDS": "150", "GODWIT_PROPERTY_ROUNDS": "1000"}
        if are_all else {"GODWIT_GENERATED": "few"}
    )
    return [
        Step("libraries", [["Scripts/install-libraries"]], is_required=True),
        Step("format", [["Scripts/lint"]]),
        Step("samples", [["Scripts/samples", "--check"]]),
        Step("scripts", [unittest(*folder) for folder in PYTHON_TESTS], counting.unittests),
        Step("build", [["swift", "build", "--build-tests", "--explicit-target-dependency-import-check", "error"]],
             failure=is_error, is_required=True),
        Step("manual page", [["Scripts/manual", "--check", "--binary", "BUILT/godwit"]]),
        Step("pictures", [["Scripts/pictures", "--check", "--binary", "BUILT/godwit"]]),
        Step("tests", tests(options, are_all), counting.swift_tests, environment, is_issue, is_side_by_side=True),
    ]


def made(exports: Path, reports: Path) -> dict[str, str]:
    """Where tests leave what later steps validate."""
    return {"GODWIT_EXPORTS": str(exports), "GODWIT_REPORTS": str(reports)}


def tests(options: list[str], are_all: bool) -> list[list[str]]:
    """All tests, or those that options of `swift test` choose.

    All are run by two processes, because one test process has only one thread for each processor and most tests wait for
    files. With the longer checks, those of the command line run once, by the release build.
    """
    command = ["swift", "test", "--skip-build"]
    if options:
        return [command + options]
    # Nothing is built, so neither process needs the lock of the build folder.
    command.append("--ignore-lock")
    if are_all:
        return [[*command, "--filter", PIPELINE], [*command, "--skip", PIPELINE, "--skip", COMMAND_LINE]]
    return [[*command, "--skip", COMMAND_LINE], [*command, "--filter", COMMAND_LINE]]


def long_steps(exports: Path, reports: Path, has_options: bool) -> list[Step]:
    """What takes longer, and what needs tools that a newcomer may not have."""
    # With options, such as a filter, not all tests that make exports have run.
    minimum = "0" if has_options else "50"
    released = ["--binary", "RELEASED/godwit"]
    return [
        Step("release build", [
            ["Scripts/build", "--explicit-target-dependency-import-check", "error"],
            ["Scripts/check-sqlite", "RELEASED/godwit"],
        ], failure=is_error, is_required=True),
        Step("tests of the release", [["swift", "test", "--skip-build", "--filter", COMMAND_LINE]],
             counting.swift_tests, {"GODWIT_BINARY": "RELEASED/godwit"} | made(exports, reports), is_issue),
        Step("library pages", [["Scripts/docs"]]),
        Step("Apple platforms", [["Scripts/check-apple"]]),
        Step("exports", [["Scripts/validate-exports", "--minimum", minimum, str(exports)]]),
        Step("reports", [["Scripts/validate-reports", "--minimum", minimum, str(reports)]]),
        Step("pages in a browser", [["Scripts/check-html", "Tests/Golden/reports"]]),
        Step("steps of CI", [["Scripts/check-ci", *released]]),
        Step("recipes", [["Scripts/check-recipes", *released]]),
        Step("benchmark harness", [unittest("Tests/Benchmarks/tests", "Tests")], counting.unittests),
        Step("faults", [["Scripts/fault", "--quick", *released]], counting.sweep),
        Step("deployment files", [["Scripts/check-deploy"]]),
        Step("fleet on Slurm", [["Scripts/fleet", "--containers", "200", *released]]),
        # With a seed, the inputs are the same each time. It shares the packages of the release build, and comes last
        # because it builds Godwit again in that folder.
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
