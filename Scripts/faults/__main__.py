"""Runs the parts of the sweep and says in one line each what came of it."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from . import reading
from .outcome import Skipped
from .settings import Settings

#: In this order; each is a module with `run(settings) -> Outcome`.
PARTS = (
    "crash", "powercut", "errors", "disks", "signals", "locks", "fleet", "service", "hostile", "surroundings", "audit",
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Scripts/fault", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to try")
    parser.add_argument("--quick", action="store_true", help="a spread of the points instead of all")
    parser.add_argument("--only", default="", metavar="TEXT", help="only scenarios whose name has this in it")
    parser.add_argument("--seed", type=int, default=1, help="for what is chosen at random; default: 1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", "--verbose", action="store_true", help="say what is being done")
    options = parser.parse_args(arguments)
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")

    failed = skipped = 0
    for part in options.parts or PARTS:
        base = Path(tempfile.mkdtemp(prefix="faults-", dir=reading.MEMORY))
        try:
            outcome = importlib.import_module(f".{part}", __package__).run(Settings(
                binary=options.binary.resolve(), base=base, quick=options.quick, jobs=options.jobs,
                seed=options.seed, only=options.only, verbose=options.verbose))
            print(outcome.closing_line(), flush=True)
            failed += not outcome.holds
        except Skipped as reason:
            skipped += 1
            print(f"{part}: SKIPPED, nothing was shown: {reason}", flush=True)
        finally:
            shutil.rmtree(base, ignore_errors=True)
    if skipped:
        print(f"{skipped} of {len(options.parts or PARTS)} parts were SKIPPED.", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
