"""Runs the steps of Scripts/test and sums them up."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .catalog import long_steps, short_steps
from .step import Result, Step, run
from .summary import duration, summary


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
    steps = short_steps(exports, reports, are_all, options)
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
    return 1 if has_failed else 0


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
    for word, configuration in (("BUILT", "debug"), ("RELEASED", "release")):
        words = [*step.environment.values(), *(part for command in step.commands for part in command)]
        if not any(part.startswith(word + "/") for part in words):
            continue
        shown = subprocess.run(["swift", "build", "-c", configuration, "--show-bin-path"], capture_output=True,
                               text=True, check=True).stdout.strip()
        step.commands = [[shown + part[len(word):] if part.startswith(word + "/") else part for part in command]
                         for command in step.commands]
        step.environment = {name: shown + value[len(word):] if value.startswith(word + "/") else value
                            for name, value in step.environment.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
