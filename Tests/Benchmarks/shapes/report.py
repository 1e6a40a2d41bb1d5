"""The figures of all shapes as JSON, and the same in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..measuring import Measured
from ..tables import table
from .works import DONE, EXPORT, GZIP, OLDER, PLAN, RUN, VERIFY, Found
from .yardsticks import DUCKDB, DUMP, INSERT, JSON, OBJECTS, PACKED, UPSERT

#: Each work of Godwit's with what it is compared with, a column each; of two in one column a shape has one.
COMPARED: dict[str, tuple[tuple[str, ...], ...]] = {
    EXPORT: ((JSON,), (OBJECTS,), (DUCKDB,)), GZIP: ((PACKED,),), RUN: ((INSERT, UPSERT), (DUMP,)), VERIFY: ((DUCKDB,),)}

EXPLANATION = """\
Seconds and MiB are of Godwit's. A ratio is the other tool's time divided by Godwit's: above 1, Godwit is faster. The
ratio of sizes is that of `pigz -6` of the same document divided by that of `godwit export --gzip`: above 1, Godwit's is
smaller. `plan / run` is a ratio of Godwit's own times. The UPSERT merges into the cloud store that Godwit merges into;
`.dump` always fills a new store. DuckDB writes lines of JSON in no order, and its start is part of its time; it reads
the dates of the Core Data store as Unix seconds, so they are other dates. MiB is the most of any round."""


def ratio(yardstick: Measured | None, ours: Measured) -> float | None:
    """How many times as fast; None where the other tool is not installed."""
    return yardstick.seconds / ours.seconds if yardstick else None


def figures(found: Found) -> dict[str, Any]:
    """Of one shape: seconds, MiB, and ratios by the name of the other tool."""
    taken = found.measured

    def work(name: str) -> dict[str, Any]:
        ours, older = taken[name], taken.get(f"{OLDER}{name}")
        others = {other: taken.get(f"{name} / {other}") for column in COMPARED.get(name, ()) for other in column}
        if name == RUN:
            others = {other: one for other, one in others.items() if one}
        return {"seconds": ours.seconds, "spread": ours.spread, "processors": ours.processors, "peakMiB": ours.mebibytes,
                **({"olderSeconds": older.seconds} if older else {}),
                **({"timesAsFast": {other: ratio(one, ours) for other, one in others.items()},
                    "yardsticks": {other: one.seconds for other, one in others.items() if one}} if others else {})}

    packed = taken[GZIP].size
    return {"records": found.records, "bytes": found.bytes, EXPORT: {**work(EXPORT), "bytes": taken[EXPORT].size},
            GZIP: {**work(GZIP), "bytes": packed, "pigzBytes": found.packed, "timesAsSmall": found.packed / packed},
            RUN: work(RUN), PLAN: {**work(PLAN), "ofRun": taken[PLAN].seconds / taken[RUN].seconds},
            VERIFY: work(VERIFY), DONE: work(DONE)}


def as_json(found: list[Found]) -> dict[str, Any]:
    return {one.shape: figures(one) for one in found}


def number(value: float | None, digits: int = 2) -> str:
    """Nothing where there is none."""
    return "" if value is None else f"{value:.{digits}f}"


def cells(shape: dict[str, Any], name: str) -> list[str]:
    """Of one work: seconds, the older Godwit's if it was measured, and the ratios."""
    one = shape[name]
    older = [f"{one['olderSeconds']:.2f}"] if "olderSeconds" in one else []
    ratios = [next((number(one["timesAsFast"][other]) for other in column if other in one["timesAsFast"]), "")
              for column in COMPARED.get(name, ())]
    return [f"{one['seconds']:.2f}", *older, *ratios]


def headings(name: str, has_older: bool) -> list[str]:
    others = (" or ".join(column) for column in COMPARED.get(name, ()))
    return ["shape", f"{name}: s", *(["older: s"] if has_older else []), *others]


def page(shapes: dict[str, Any]) -> str:
    """A table for each work, a row for each shape."""
    has_older = any("olderSeconds" in shape[EXPORT] for shape in shapes.values())
    done = ["done: ms", *(["older: ms"] if has_older else [])]

    def milliseconds(one: dict[str, Any]) -> list[str]:
        return [f"{1000 * one[key]:.0f}" for key in ("seconds", "olderSeconds") if key in one]

    def rows(make: Callable[[dict[str, Any]], list[str]]) -> list[list[str]]:
        return [[name, *make(shape)] for name, shape in shapes.items()]

    return "\n\n".join([
        table(["shape", "records", "bytes"], rows(lambda one: [f"{one['records']:,}", f"{one['bytes']:,}"])),
        table([*headings(EXPORT, has_older), "MiB"], rows(lambda one: [
            *cells(one, EXPORT), number(one[EXPORT]["peakMiB"], 0)])),
        table([*headings(GZIP, has_older), "size, of pigz -6"], rows(lambda one: [
            *cells(one, GZIP), number(one[GZIP]["timesAsSmall"], 3)])),
        table([*headings(RUN, has_older), "MiB", *headings(PLAN, has_older)[1:], "plan / run", *done], rows(lambda one: [
            *cells(one, RUN), number(one[RUN]["peakMiB"], 0), *cells(one, PLAN), number(one[PLAN]["ofRun"]),
            *milliseconds(one[DONE])])),
        table([*headings(VERIFY, has_older), "MiB"], rows(lambda one: [
            *cells(one, VERIFY), number(one[VERIFY]["peakMiB"], 0)])),
    ])
