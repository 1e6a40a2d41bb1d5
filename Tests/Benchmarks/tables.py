"""Tables in Markdown, and the same figures as JSON."""

from __future__ import annotations

from typing import Any

from .measuring import Measured
from .memory import BOUND
from .rows import Compared

HEADINGS = ("work", "Godwit: s", "±", "of the processors", "MiB", "bytes", "yardstick", "s", "±", "of the processors",
            "MiB", "bytes", "Godwit is", "aim", "reached")


def table(headings: tuple[str, ...] | list[str], rows: list[list[str]]) -> str:
    """Words to the left; columns that begin with a digit in every row to the right."""
    is_figure = [bool(rows) and all(row[place][:1].isdigit() for row in rows) for place in range(len(headings))]
    rule = ["---:" if figure else "---" for figure in is_figure]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (headings, rule, *rows))


def verdict(is_reached: bool | None) -> str:
    return "" if is_reached is None else "yes" if is_reached else "**no**"


def figures(one: Measured) -> list[str]:
    return [f"{one.seconds:.2f}", f"{one.spread:.2f}", f"{one.processors:.2f}", f"{one.mebibytes:.0f}",
            f"{one.size:,}" if one.work.product else ""]


def comparisons(found: list[Compared]) -> str:
    return table(HEADINGS, [
        [one.row.title, *figures(one.ours), one.yardstick.work.name, *figures(one.yardstick), one.ratio_words,
         one.row.aim.words if one.row.aim else "", verdict(one.is_reached)] for one in found])


def machines(found: list[Compared]) -> str:
    """What the machine took during the run, once for each work of Godwit's."""
    once = {one.ours.work.name: one.machine for one in found if one.machine}
    return table(("by turns with", "work", "s", "±", "of the processors"), [
        [name, one.work.name, *figures(one)[:3]] for name, one in once.items()])


def peaks(found: dict[str, float]) -> str:
    return table(("command", "MiB at the most", "aim", "reached"), [
        [f"`{name}`", f"{mebibytes:.1f}", f"{BOUND} MiB", verdict(mebibytes <= BOUND)]
        for name, mebibytes in found.items()])


def versions(found: list[tuple[Measured, Measured]]) -> str:
    """An older program on the left; ratios above 1 say that the newer one takes more."""
    return table(("work", "older: s", "±", "MiB", "newer: s", "±", "MiB", "time, newer/older", "memory"), [
        [older.work.name, *(cell for one in (older, newer) for cell in (
            f"{one.seconds:.3f}", f"{one.spread:.3f}", f"{one.mebibytes:.1f}")),
         f"{newer.seconds / older.seconds:.3f}", f"{newer.mebibytes / older.mebibytes:.3f}"]
        for older, newer in found])


def as_json(found: list[Compared]) -> dict[str, dict[str, Any]]:
    """By title. Times in seconds, memory in MiB; `timesAsFast` is the yardstick's median by Godwit's."""
    def side(one: Measured) -> dict[str, Any]:
        return {"work": one.work.name, "seconds": one.seconds, "spread": one.spread, "processors": one.processors,
                "peakMiB": one.mebibytes, "bytes": one.size, "rounds": [taken.seconds for taken in one.rounds]}

    return {one.row.title: {
        "timesAsFast": one.ratio, "aim": one.row.aim.words if one.row.aim else None, "isReached": one.is_reached,
        "godwit": side(one.ours), "yardstick": side(one.yardstick),
        **({"machine": side(one.machine)} if one.machine else {})} for one in found}
