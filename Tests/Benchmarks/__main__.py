"""Measures, prints tables, and keeps them: `Scripts/bench`."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from pathlib import Path

from . import chart, modes
from .keeping import STORES


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__)
    parser.add_argument("--binary", type=Path, help="the godwit to measure")
    parser.add_argument("--static", type=Path, metavar="FILE", help="one that is linked statically; its start as well")
    parser.add_argument("--quick", action="store_true", help="a tenth of the records, one round; keeps nothing")
    parser.add_argument("--scale", type=float, help="only this one; 1 is 100,000 workouts and 1,000,000 sets")
    parser.add_argument("--rounds", type=int, help="how often; the median counts")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="only rows whose title, or shapes whose name, has it in it; keeps nothing")
    parser.add_argument("--against", type=Path, metavar="FILE",
                        help="compare with an older godwit, instead; with --shapes, in a column of its own")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--scaling", action="store_true", help="compare the kept results of both scales, instead")
    instead.add_argument("--startup", action="store_true", help="how long it takes to start, instead")
    instead.add_argument("--fleet", action="store_true", help="many containers at once, instead")
    instead.add_argument("--profile", action="store_true", help="where the time goes, instead")
    instead.add_argument("--shapes", action="store_true", help="stores of nine shapes, next to other tools, instead")
    instead.add_argument("--chart", action="store_true", help="draw the kept results for README.md and docs, instead")
    parser.add_argument("--check", action="store_true", help="with --chart: write nothing; exit 1 if something differs")
    options = parser.parse_args()
    if options.check and not options.chart:
        parser.error("--check needs --chart")
    if options.against and (options.scaling or options.startup or options.fleet or options.profile or options.chart):
        parser.error("--against can be combined with --shapes only")
    if not options.binary and not options.scaling and not options.chart:
        parser.error("--binary is missing: call Scripts/bench")
    for program in (options.binary, options.static, options.against):
        if program and not os.access(program, os.X_OK):
            parser.error(f"{program} is no program")
    options.binary = options.binary.resolve() if options.binary else None
    options.static = options.static.resolve() if options.static else None
    options.against = options.against.resolve() if options.against else None
    return options


def missing(options: argparse.Namespace) -> list[str]:
    """Programs that are asked for and not here, where Scripts/bench could not install them."""
    needed = ["sqlite3", "pigz", "hyperfine", "time", *(["valgrind", "perf", "openssl"] if options.profile else [])]
    return [name for name in needed if not shutil.which(name)]


def main() -> None:
    options = parsed()
    if options.chart:
        sys.exit(chart.update(options.check))
    if names := missing(options):
        raise SystemExit(f"bench: {', '.join(names)} can't be found")
    STORES.mkdir(exist_ok=True)
    # As by Ctrl-C: the contents of the scratch folder, gigabytes at the large scale, are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if options.scaling:
        modes.of_scaling(options)
    elif options.startup:
        modes.of_startup(options)
    elif options.fleet:
        modes.of_fleets(options)
    elif options.profile:
        modes.of_profile(options)
    elif options.shapes:
        modes.of_shapes(options)
    elif options.against:
        modes.of_versions(options)
    else:
        modes.everything(options)


main()
