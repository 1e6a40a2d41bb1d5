"""Runs the parts of the sweep, several at the same time."""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Iterator, Sequence

from . import reading
from .outcome import Skipped
from .settings import Settings

#: In this order; each is a module with `run(settings) -> Outcome`.
PARTS = (
    "crash", "powercut", "errors", "disks", "signals", "locks", "fleet", "service", "hostile", "surroundings", "audit", "mistakes",
)


def results(parts: Sequence[str], options: argparse.Namespace) -> Iterator[bool | None]:
    """Whether each part holds, None for one that was skipped; each is printed after those before it.

    A part waits most of its time: for a tracer, for a lock, for one thread of Python that compares. So several run at the
    same time, each in a process of its own.
    """
    at_once = min(options.at_once, len(parts))
    if at_once == 1:
        yield from (printed(*perform(part, options)) for part in parts)
        return
    # A process of its own for each part: some change what signals do.
    with ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        running = [pool.submit(perform, part, options) for part in parts]
        try:
            yield from (printed(*each.result()) for each in running)
        finally:
            # If one could not run at all, those that wait do not begin.
            pool.shutdown(wait=False, cancel_futures=True)


def printed(line: str, result: bool | None) -> bool | None:
    print(line, flush=True)
    return result


def perform(part: str, options: argparse.Namespace) -> tuple[str, bool | None]:
    """Runs one part in a folder of its own; returns its closing line, and whether it holds."""
    base = Path(tempfile.mkdtemp(prefix="faults-", dir=reading.MEMORY))
    try:
        outcome = importlib.import_module(f".{part}", __package__).run(Settings(
            binary=options.binary.resolve(), base=base, quick=options.quick, jobs=options.jobs,
            seed=options.seed, only=options.only, verbose=options.verbose))
        return outcome.closing_line(), outcome.holds
    except Skipped as reason:
        return f"{part}: SKIPPED, nothing was shown: {reason}", None
    finally:
        shutil.rmtree(base, ignore_errors=True)
