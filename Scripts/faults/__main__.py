"""Runs the parts of the sweep and says in one line each what came of it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .parts import PARTS, results


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Scripts/fault", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to try")
    parser.add_argument("--quick", action="store_true", help="a spread of the points instead of all")
    parser.add_argument("--only", default="", metavar="TEXT", help="only scenarios whose name has this in it")
    parser.add_argument("--seed", type=int, default=1, help="for what is chosen at random; default: 1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="parts at the same time; default: one for each processor")
    parser.add_argument("-v", "--verbose", action="store_true", help="say what is being done")
    options = parser.parse_args(arguments)
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    if options.at_once < 1:
        parser.error("--at-once is 1 or more")
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")

    parts = options.parts or PARTS
    found = list(results(parts, options))
    skipped = sum(result is None for result in found)
    if skipped:
        print(f"{skipped} of {len(parts)} parts were SKIPPED.", flush=True)
    return 1 if False in found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
