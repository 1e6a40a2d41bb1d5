"""What `Scripts/bench` can be asked for; each prints its tables, and keeps them where they are whole."""

from __future__ import annotations

import json
import shutil
import subprocess
from argparse import Namespace
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Iterator

from . import chart, copying, exporting, fleet, limits, memory, profiling, scaling, startup, tables, trainlog, versions
from .filling import Filling
from .keeping import RESULTS, STORES, commit, keep, keep_figures, machine, of_rounds
from .rows import compared
from .setting import Setting, records
from .shapes import report, stores, works, yardsticks
from .shapes.declared import SHAPES

#: The scales of the whole table, and how often each is measured.
SCALES = {1.0: 5, 10.0: 3}
QUICK = {0.1: 1}
SQLITE_UTILS = STORES / "tools/bin/sqlite-utils"
PYTHON = STORES / "tools/bin/python3"

EXPLANATION = """\
Times are in seconds; ± is from the quickest to the slowest round, and memory the most of any. All files that are read
are in the cache. Godwit flushes what it writes to the disk; `sqlite3 -json`, pigz and sqlite-utils don't, unless the
row says so, and the sqlite3 shell flushes a store as it commits (`synchronous=FULL`)."""

MACHINE = """\
Times of the machine itself, measured during the same rounds: to read as many bytes as the store has from its cache, and
to write and flush them."""


@contextmanager
def scratch() -> Iterator[Path]:
    with TemporaryDirectory(prefix="bench-", dir=STORES) as folder:
        yield Path(folder)


def everything(options: Namespace) -> None:
    """The whole table: both scales, one against the other, and the start."""
    scales = {options.scale: SCALES.get(options.scale, 3)} if options.scale else QUICK if options.quick else SCALES
    for scale, rounds in scales.items():
        at_scale(options, scale, options.rounds or rounds)
    if not options.only:
        of_startup(options)
        if not options.quick:
            of_scaling(options)


def at_scale(options: Namespace, scale: float, rounds: int) -> None:
    with scratch() as folder:
        at = setting(options, scale, folder)
        count = records(at.container)
        size = (at.container / trainlog.STORE).stat().st_size
        print(f"{count:,} records in {size:,} bytes; {of_rounds(rounds)}; {machine()}\n", flush=True)
        if scale < 1:
            print("The aims are for 1.1 million records and more. Of fewer, a start and a flush to the disk, which the"
                  " yardsticks leave out, are a larger part.\n", flush=True)
        rows = [row for row in exporting.rows(at) + copying.rows(at) if options.only in row.title]
        if not rows:
            raise SystemExit(f"bench: no row has '{options.only}' in its title")
        found = compared(rows, rounds, limits.machine(at), at.filling)
        print(f"{tables.comparisons(found)}\n\n{tables.machines(found)}", flush=True)
        if options.only:
            return
        head = f"{of_rounds(rounds).capitalize()}, of a store of {size:,} bytes. {EXPLANATION}"
        figures = {"records": count, "bytes": size, "rounds": rounds, "rows": tables.as_json(found)}

        def keep_so_far(peaks: dict[str, float]) -> None:
            text = tables.peaks(peaks) if peaks else "The memory of each command was not measured."
            name = f"scale-{scale:g}"
            keep(name, f"{count:,} records", f"Scripts/bench --scale {scale:g}",
                 "\n\n".join([head, tables.comparisons(found), MACHINE, tables.machines(found), text]))
            keep_figures(name, {**figures, "memory": peaks})

        # What took an hour is not lost to a user who has no more time.
        if not options.quick:
            keep_so_far({})
        peaks = memory.peaks(at)
        print(f"\n{tables.peaks(peaks)}\n", flush=True)
        if not options.quick:
            keep_so_far(peaks)
            chart.update()


def setting(options: Namespace, scale: float, folder: Path) -> Setting:
    """The generated containers of a scale, made where they are not there yet."""
    container, wal = trainlog.container(STORES, scale), trainlog.wal_container(STORES, scale)
    # With all memory to be touched, a quick look would be over before it begins.
    filling = None if options.quick else Filling(folder / "filling")
    return Setting(options.binary, container, wal, folder, sqlite_utils(), filling)


def sqlite_utils() -> Path | None:
    """That of `Scripts/bench`, or the system's."""
    system = shutil.which("sqlite-utils")
    return SQLITE_UTILS if SQLITE_UTILS.exists() else Path(system) if system else None


def of_scaling(options: Namespace) -> None:
    small, large = (RESULTS / f"scale-{scale:g}.json" for scale in SCALES)
    if not small.exists() or not large.exists():
        return print("There are no results of both scales to compare.")
    text = scaling.report(small, large)
    print(text)
    keep("scaling", "From a million to ten million", "Scripts/bench --scaling", text)


def of_startup(options: Namespace) -> None:
    binaries = {"as built": options.binary, **({"linked statically": options.static} if options.static else {})}
    with scratch() as folder:
        text = startup.report(binaries, folder, 20 if options.quick else 200)
    print(f"{text}\n", flush=True)
    if not options.quick:
        keep("startup", "Start", "Scripts/bench --startup", text)


def of_fleets(options: Namespace) -> None:
    rounds = options.rounds or (1 if options.quick else 3)
    with scratch() as folder:
        text = fleet.report(options.binary, folder, options.quick, rounds)
    print(f"{machine()}; {of_rounds(rounds)}\n{text}")
    if not options.quick:
        keep("fleet", "Fleets", "Scripts/bench --fleet", f"{of_rounds(rounds).capitalize()}.\n{text}")


def of_versions(options: Namespace) -> None:
    """Each work by an older godwit and by this one, alternately."""
    scale, rounds = options.scale or (0.1 if options.quick else 1), options.rounds or (1 if options.quick else 5)
    with scratch() as folder:
        sides = []
        for name, binary in (("older", options.against), ("newer", options.binary)):
            (folder / name).mkdir()
            at = setting(Namespace(**{**vars(options), "binary": binary}), scale, folder / name)
            sides.append({row.ours.name: row.ours for row in exporting.rows(at) + copying.rows(at)})
        print(f"{machine()}; {of_rounds(rounds)}, scale {scale:g}\n", flush=True)
        print(tables.versions(versions.compared(*sides, options.only, rounds)))


def of_profile(options: Namespace) -> None:
    counted, sampled = (0.01, options.scale or (0.1 if options.quick else 1))
    with scratch() as folder:
        for name in ("counted", "sampled"):
            (folder / name).mkdir()
        counting = setting(options, counted, folder / "counted")
        sampling = setting(options, sampled, folder / "sampled")
        counts = records(counting.container), records(sampling.container)
        text = profiling.report(counting, sampling, counts, options.rounds or (1 if options.quick else 3))
    print(f"{machine()}\n\n{text}")
    if not options.quick:
        keep("profile", "Where the time goes", "Scripts/bench --profile", text)


def of_shapes(options: Namespace) -> None:
    """Stores of other shapes than the two scales have."""
    scale, rounds = options.scale or (0.1 if options.quick else 1), options.rounds or (1 if options.quick else 3)
    chosen = [shape for shape in SHAPES if options.only in shape.name]
    if not chosen:
        raise SystemExit(f"bench: no shape has '{options.only}' in its name: {', '.join(shape.name for shape in SHAPES)}")
    duck = duckdb()
    # Asked for once: to keep a page changes what is checked out.
    checked_out = commit()
    head = f"{of_rounds(rounds)}, scale {scale:g}, of commit {checked_out}."
    print(f"{machine()}; {head}{'' if duck else ' DuckDB: not installed.'}\n", flush=True)
    found = []
    for shape in chosen:
        made = stores.made(STORES, shape, scale)
        with scratch() as folder:
            filling = None if options.quick else Filling(folder / "filling")
            binaries = [options.binary, *([options.against] if options.against else [])]
            found.append(works.measured(made, binaries, duck, folder, scale, rounds, filling))
    figures = report.as_json(found)
    page = report.page(figures)
    print(f"{page}\n\n{json.dumps(figures, indent=2, ensure_ascii=False)}")
    if scale == 1 and not options.quick and not options.only:
        missing = "" if duck else " DuckDB was not installed."
        keep("shapes", "Nine shapes", "Scripts/bench --shapes",
             f"{head[0].upper()}{head[1:]}{missing} {report.EXPLANATION}\n\n{page}")
        keep_figures("shapes", {"commit": checked_out, "rounds": rounds, "shapes": figures})


def duckdb() -> Path | None:
    """The Python that Scripts/bench installed DuckDB for, if that is to be had and works."""
    check: list[str | Path] = [PYTHON, yardsticks.DUCK, "check"]
    is_there = PYTHON.exists() and subprocess.run(check, capture_output=True, check=False).returncode == 0
    return PYTHON if is_there else None
