"""From one scale to ten times that: time in proportion, and memory that stays. Read from kept results."""

from __future__ import annotations

import json
from pathlib import Path

from .memory import BOUND
from .tables import table, verdict

#: Ten times the records may take so many times as long.
MOST = 10 * 1.15
#: Memory is flat where ten times the records take no more than a tenth more, or no more than this many MiB.
FLAT = 4.0


def is_linear(small: float, large: float) -> bool:
    """Less than ten times is no fault: what is done once counts for less."""
    return large <= MOST * small


def is_flat(small: float, large: float) -> bool:
    return large <= max(1.1 * small, small + FLAT) and large <= BOUND


def times(small: dict, large: dict) -> list[list[str]]:
    """A row for each work of Godwit's that both have; of one that was measured with several yardsticks the first."""
    found: dict[str, list[str]] = {}
    for title, row in small["rows"].items():
        if title in large["rows"]:
            ours, later = row["godwit"], large["rows"][title]["godwit"]
            before, after = ours["seconds"], later["seconds"]
            processors = later["processors"] / ours["processors"]
            theirs = large["rows"][title]["yardstick"]["seconds"] / row["yardstick"]["seconds"]
            found.setdefault(ours["work"], [
                ours["work"], f"{before:.2f}", f"{after:.2f}", f"{after / before:.1f}", f"{processors:.1f}",
                f"{row['yardstick']['work']}: {theirs:.1f}", machine(row, large["rows"][title]), f"at most {MOST:.1f}",
                verdict(is_linear(before, after))])
    return list(found.values())


def machine(small: dict, large: dict) -> str:
    """How many times as long the machine took for ten times the bytes, by turns with the work itself."""
    if "machine" not in small or "machine" not in large:
        return ""
    before, after = small["machine"]["seconds"], large["machine"]["seconds"]
    return f"{small['machine']['work']}: {after / before:.1f}"


def memory(small: dict, large: dict) -> list[list[str]]:
    return [[f"`{name}`", f"{before:.1f}", f"{large['memory'][name]:.1f}", f"{BOUND} MiB, and flat",
             verdict(is_flat(before, large["memory"][name]))]
            for name, before in small["memory"].items() if name in large["memory"]]


def report(small: Path, large: Path) -> str:
    """Tables of two kept results; both files have to be there."""
    one, ten = (json.loads(path.read_text()) for path in (small, large))
    counts = f"{one['records']:,} s", f"{ten['records']:,} s"
    return "\n\n".join([
        " and ".join(f"{kept['records']:,} records, measured {kept['measured']} ({kept['machine']})"
                        for kept in (one, ten)) + ".",
        table(("work", *counts, "times as long", "of the processors", "the yardstick's", "the machine's", "aim",
               "reached"),
              times(one, ten)),
        table(("command", *(f"{count[:-2]}: MiB" for count in counts), "aim", "reached"), memory(one, ten))])
