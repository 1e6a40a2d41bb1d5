"""Measures, prints a table, and keeps it: `Scripts/bench`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import tempfile
from datetime import date
from pathlib import Path

from . import exporting, fleet, trainlog
from .exporting import Row
from .measuring import Measured, alternately

RESULTS = trainlog.ROOT / "Tests/Benchmarks/results"
STORES = trainlog.ROOT / ".build-bench"
HEADINGS = ("work", "Godwit s", "±", "MiB", "bytes", "yardstick", "s", "±", "MiB", "bytes", "times as fast", "aim")


def main() -> None:
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to measure")
    parser.add_argument("--quick", action="store_true", help="a tenth of the records, three rounds; keeps nothing")
    parser.add_argument("--scale", type=float, help="1 is 100,000 workouts and 1,000,000 sets")
    parser.add_argument("--rounds", type=int, help="how often; the median counts")
    parser.add_argument("--only", default="", metavar="TEXT", help="only rows whose title has this in it")
    parser.add_argument("--fleet", action="store_true", help="many containers at once, instead")
    options = parser.parse_args()
    if options.fleet:
        return measure_fleets(options.binary.resolve(), options.quick, options.rounds or (1 if options.quick else 3))
    scale = options.scale or (0.1 if options.quick else 1)
    rounds = options.rounds or (3 if options.quick else 5)

    container = trainlog.container(STORES, scale)
    count = exporting.records(container)
    print(f"{count:,} records in {(container / trainlog.STORE).stat().st_size:,} bytes; medians of {rounds} rounds, in"
          f" seconds; ± from the quickest to the slowest; {machine()}\n")
    with tempfile.TemporaryDirectory(prefix="bench-", dir=STORES) as scratch:
        rows = [row for row in exporting.rows(options.binary.resolve(), container, Path(scratch))
                if options.only in row.title]
        measured = [(row, *alternately([row.ours, row.yardstick], rounds)) for row in rows]
    table = "\n".join(line(cells) for cells in (HEADINGS, ["---"] * len(HEADINGS), *(map(cells_of, measured))))
    print(table)
    if not options.quick and not options.only:
        keep(scale, count, rounds, table, measured)


def measure_fleets(binary: Path, is_quick: bool, rounds: int) -> None:
    """Tables of their own; without --quick they are kept."""
    STORES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fleet-", dir=STORES) as scratch:
        tables = fleet.report(binary, Path(scratch), is_quick, rounds)
    of = "one round" if rounds == 1 else f"medians of {rounds} rounds"
    print(f"{machine()}; {of}\n{tables}")
    if not is_quick:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "fleet.md").write_text(
            f"# Fleets\n\n`Scripts/bench --fleet` on {date.today()}: {of}; {machine()}.\n{tables}\n")


def cells_of(one: tuple[Row, Measured, Measured]) -> list[str]:
    row, ours, yardstick = one
    figures = [f"{ours.seconds:.2f}", f"{ours.spread:.2f}", f"{ours.mebibytes:.0f}", f"{ours.size:,}"]
    theirs = [f"{yardstick.seconds:.2f}", f"{yardstick.spread:.2f}", f"{yardstick.mebibytes:.0f}",
              f"{yardstick.size:,}"]
    return [row.title, *figures, yardstick.work.name, *theirs, f"{yardstick.seconds / ours.seconds:.2f}",
            f"{row.aim:g}" if row.aim else "none"]


def line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def machine() -> str:
    sqlite = subprocess.run(["sqlite3", "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, sqlite3 {sqlite}"


def keep(scale: float, count: int, rounds: int, table: str, measured: list[tuple[Row, Measured, Measured]]) -> None:
    """The table to read and the same as JSON, under the scale; the newest replaces the one before."""
    RESULTS.mkdir(exist_ok=True)
    name = f"scale-{scale:g}"
    command = f"Scripts/bench --scale {scale:g}" if scale != 1 else "Scripts/bench"
    (RESULTS / f"{name}.md").write_text(
        f"# {count:,} records\n\n`{command}` on {date.today()}: medians of {rounds} rounds, in seconds; ± from the"
        f" quickest to the slowest;\n{machine()}.\n\n{table}\n")
    found = {row.title: {
        "ratio": yardstick.seconds / ours.seconds, "aim": row.aim or None,
        **{side: {"work": one.work.name, "seconds": one.seconds, "spread": one.spread, "peakMiB": one.mebibytes,
                  "bytes": one.size} for side, one in (("godwit", ours), ("yardstick", yardstick))},
    } for row, ours, yardstick in measured}
    (RESULTS / f"{name}.json").write_text(json.dumps(
        {"measured": str(date.today()), "machine": machine(), "records": count, "rounds": rounds, "rows": found},
        indent=2, ensure_ascii=False) + "\n")


main()
