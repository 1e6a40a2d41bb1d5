"""Applies the faults to a clone, builds it once, and runs the tests with one fault after the other."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .clone import FaultyClone
from .faults import FAULTS, Fault


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Scripts/mutate", description=__doc__)
    parser.add_argument("--at", default="HEAD", metavar="COMMIT", help="the commit to test; default: HEAD")
    parser.add_argument("--only", default="", metavar="N,N", help="only the faults with these numbers")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="keep the clone and its build there; default: a temporary one")
    options = parser.parse_args(arguments)
    numbers = [int(number) for number in options.only.split(",") if number] or list(range(1, len(FAULTS) + 1))
    if unknown := [number for number in numbers if not 0 < number <= len(FAULTS)]:
        parser.error(f"unknown faults {unknown}; there are 1 to {len(FAULTS)}")
    with tempfile.TemporaryDirectory(prefix="godwit-mutate.") as temporary:
        clone = FaultyClone(options.folder or Path(temporary) / "clone")
        try:
            clone.prepare(options.at, numbers)
        except (LookupError, subprocess.CalledProcessError) as error:
            print(f"Scripts/mutate: error: {error}", file=sys.stderr)
            return 1
        return try_all(clone, numbers)


def try_all(clone: FaultyClone, numbers: list[int]) -> int:
    """Runs the tests without a fault, which must pass, and then with each."""
    if (failure := clone.first_failure(0)) is not None:
        print(f"The tests fail without any fault: {failure}", file=sys.stderr)
        return 1
    applied = [number for number in numbers if number in clone.targets]
    if absent := [number for number in numbers if number not in clone.targets]:
        print(f"not in this commit: faults {', '.join(map(str, absent))}")
    missed = [number for number in applied if not is_caught(clone, number, FAULTS[number - 1])]
    print(f"{len(applied)} faults, {len(applied) - len(missed)} caught, {len(missed)} missed")
    return 1 if missed else 0


def is_caught(clone: FaultyClone, number: int, fault: Fault) -> bool:
    began = time.monotonic()
    failure = clone.first_failure(number)
    took = round(time.monotonic() - began)
    outcome = "MISSED" if failure is None else f"caught by {failure}"
    print(f"{number:2} {fault.file}: {fault.text} -> {fault.wrong}: {outcome} ({took} s)", flush=True)
    return failure is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
