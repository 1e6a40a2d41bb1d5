"""Where the time of export, copy, plan and of a run with nothing to do goes, compared with what can't be had for less."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from . import callgrind, limits, sampling
from .keeping import of_rounds
from .measuring import Work, prepare
from .setting import Setting
from .startup import SAMPLE
from .symbols import Place, by, largest, readable
from .tables import table

FUNCTIONS = 15


def commands(at: Setting) -> dict[str, Work]:
    """Each with what makes its state again."""
    document = at.scratch / "profiled.json"
    done = at.scratch / "sample"
    return {
        "export": Work("export", at.godwit("export", at.container, "-o", document), document),
        "copy": limits.copying(at, "copied", at.container),
        "plan": limits.planning(at),
        "run with nothing to do": Work("run", at.godwit("run", done)),
    }


def report(counting: Setting, sampling_at: Setting, counts: tuple[int, int], rounds: int) -> str:
    """Tables; instructions are counted at one scale, and time is sampled at another, each of so many records."""
    binary = callgrind.readable_binary(counting.binary, counting.scratch)
    instructions = taken(replace(counting, binary=binary), callgrind.counted)
    times = taken(sampling_at, sampling.sampled)
    parts = []
    for name, counted in instructions.items():
        # A run with nothing to do is over before perf has looked more than a few times.
        time = Counter() if name.startswith("run") else times[name]
        parts.append(f"## {name}\n\n{of_command(name, counted, time, counts)}")
    parts.append(of_limits(sampling_at, counts[1], rounds))
    return "\n\n".join(parts)


def of_limits(at: Setting, count: int, rounds: int) -> str:
    found = limits.measured(at, rounds)
    return (f"## The limits\n\n{count:,} records, {of_rounds(rounds)} by turns, the start of a shell included. Of a run"
            " with nothing to do it is the start itself: [startup.md](startup.md).\n\n" + table(
                ("work", "s", "±", "of the processors"),
                [[one.work.name, f"{one.seconds:.2f}", f"{one.spread:.2f}", f"{one.processors:.2f}"]
                 for one in found])
            + "\n\nThe sums of the parts that each command cannot leave out, in seconds: if all processors are busy to the end, and if a"
              " shell runs the parts in parallel. No sum includes sorting texts, deciding about records, and comparing them."
              " The column \"in C\" is a C program that does all of it.\n\n"
            + table(("work", "made of", "compared with", "of the processors", "by the clock, at the least", "in parallel", "in C",
                     "aim", "Godwit"),
                    limits.floors(found)))


def taken(at: Setting, take: Callable[[str, Path], Counter[Place]]) -> dict[str, Counter[Place]]:
    shutil.copytree(SAMPLE, at.scratch / "sample")
    prepare(Work("", "", before=at.godwit("run", at.scratch / "sample")))
    found = {}
    for name, work in commands(at).items():
        prepare(work)
        found[name] = take(work.command, at.scratch)
        if work.product:
            work.product.unlink()
    return found


def of_command(name: str, counted: Counter[Place], time: Counter[Place], counts: tuple[int, int]) -> str:
    total = sum(counted.values())
    of = "the sample's records" if name.startswith("run") else f"{counts[0]:,} records"
    lines = [f"{total:,} instructions for {of}" + (
        f"; {sum(time.values()) / 1e9:.2f} seconds of the processors for {counts[1]:,}." if time else ".")]
    by_count, by_time = by(counted, lambda place: place.library), by(time, lambda place: place.library)
    libraries = sorted({*by_count, *by_time}, key=lambda one: -max(by_time.get(one, 0), by_count.get(one, 0)))
    lines.append(table(("code of", "instructions", "time"), [
        [library, percent(by_count.get(library, 0)), percent(by_time.get(library, 0)) if time else ""]
        for library in libraries if max(by_count.get(library, 0), by_time.get(library, 0)) >= 0.005]))
    lines.append(functions("time" if time else "instructions", time or counted))
    return "\n\n".join(lines)


def functions(of: str, costs: Counter[Place]) -> str:
    found = largest(costs, FUNCTIONS)
    names = readable([place.symbol for place, _ in found])
    return table(("function", "code of", f"share of the {of}"), [
        [f"`{name}`", place.library, percent(share)] for name, (place, share) in zip(names, found)])


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"
