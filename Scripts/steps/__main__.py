"""Runs the steps of Scripts/test and sums them up."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .catalog import long_steps, short_steps
from .step import Result, Step, run
from .summary import duration, summary

#: Many times what the tests have at once.
MIN_BYTES_IN_MEMORY = 8 << 30


def main(arguments: list[str]) -> int:
    """Runs all steps; returns 1 where one failed."""
    parser = argparse.ArgumentParser(prog="Scripts/test", description="Builds Godwit and runs its tests.")
    parser.add_argument("--all", action="store_true", help="also the longer checks, as CI does")
    parser.add_argument("--step", action="append", metavar="NAME", help="only this step; --step help lists them")
    chosen, options = parser.parse_known_args(arguments)
    names = set(chosen.step or [])
    # What these steps verify is what the tests make.
    verified = {"exports", "reports"} & names
    if verified:
        names.add("tests")
    are_all = chosen.all or bool(verified)
    made = Path(tempfile.mkdtemp(prefix="godwit-test."))
    exports, reports = made / "exports", made / "reports"
    exports.mkdir()
    reports.mkdir()
    scratch = in_memory()
    steps = short_steps(exports, reports, are_all, options, scratch)
    if are_all or names:
        steps += long_steps(exports, reports, bool(options))
    if names:
        unknown = names - {step.name for step in steps}
        if unknown:
            print("The steps are: " + ", ".join(step.name for step in steps), file=sys.stderr)
            return 64
        steps = [step for step in steps if step.name in names]
    logs = Path(".build/test-logs")
    logs.mkdir(parents=True, exist_ok=True)
    results, left_out = run_all(steps, logs)
    print("\n".join(summary(results, left_out)), flush=True)
    has_failed = any(result.counts.failed for result in results)
    if has_failed and are_all:
        print(f"The exports and reports of the tests are in {made}.", file=sys.stderr)
    else:
        shutil.rmtree(made, ignore_errors=True)
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
    return 1 if has_failed else 0


def in_memory(folder: Path = Path("/dev/shm")) -> Path | None:
    """A new folder in memory for the stores of the tests, which flush them thousands of times; None for TMPDIR.

    The faults of disks and power cuts are tried elsewhere: by Scripts/fault.
    """
    if "TMPDIR" in os.environ or not os.path.ismount(folder) or not os.access(folder, os.W_OK):
        return None
    if shutil.disk_usage(folder).free < MIN_BYTES_IN_MEMORY:
        return None
    return Path(tempfile.mkdtemp(prefix="godwit-test.", dir=folder))


def run_all(steps: list[Step], logs: Path) -> tuple[list[Result], list[str]]:
    """Runs the steps in order, a line each; after one fails that others need, the rest is left out."""
    results: list[Result] = []
    for index, step in enumerate(steps):
        print(f"{step.name:22}", end="", flush=True)
        is_line_open = True

        def show(line: str) -> None:
            nonlocal is_line_open
            if is_line_open:
                print(flush=True)
                is_line_open = False
            print("  " + line, flush=True)

        prepare(step)
        result = run(step, logs, show)
        results.append(result)
        verdict = "FAILED" if result.counts.failed else "skipped" if not result.counts.passed else "ok"
        print(f"{'' if is_line_open else step.name.ljust(22)}{duration(result.seconds):>5}  {verdict}", flush=True)
        if result.counts.failed and step.is_required:
            return results, [later.name for later in steps[index + 1:]]
    return results, []


def prepare(step: Step) -> None:
    """Puts the paths of the built commands where a step names them."""
    if any(part.startswith("BUILT/") for command in step.commands for part in command):
        shown = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], capture_output=True,
                               text=True, check=True).stdout.strip()
        step.commands = [[shown + part.removeprefix("BUILT") if part.startswith("BUILT/") else part for part in command]
                         for command in step.commands]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
