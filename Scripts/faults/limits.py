"""Limits of a process: the size of files, and calls that do only a part of what they were asked for."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

from . import ending
from .judgment import Box
from .outcome import Outcome, Skipped
from .scenario import environment, execute
from .settings import Settings

SHIM = Path(__file__).with_name("shortwrite.c")


def file_sizes(boxes: list[Box], settings: Settings, outcome: Outcome) -> None:
    """Sets RLIMIT_FSIZE step by step until the command completes: below that an error, not a death by SIGXFSZ."""
    step = 4096 if settings.quick else 512
    for box in boxes:
        limit, through = 0, 0
        while through < 2 and limit < 1 << 20:
            with box.copied() as folder:
                # The limit is bound here, since it changes with the loop.
                done = execute(box.argv(folder), folder, preexec_fn=lambda limit=limit: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (limit, limit)))
                faults = box.faults_of_end(folder, done, {ending.IO}) or box.run_again(folder)
            outcome.judge(f"{box.scenario.name}, files up to {limit} bytes", faults)
            through += done.returncode == ending.DONE
            limit += step


def least_calls(most: int) -> int:
    """The number of calls of the shim below which the test shows nothing.

    Parts of a page and more hardly cut anything short, so a command that writes little completes in a few calls.
    """
    return 10 if most <= 513 else 1


def short_writes(boxes: list[Box], settings: Settings, outcome: Outcome) -> None:
    """Calls that write a part, or are interrupted: the command must still write everything."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise Skipped("there is no C compiler (cc) to build the shim that writes short")
    shim = settings.base / "shortwrite.so"
    built = execute([compiler, "-shared", "-fPIC", "-O1", "-o", shim, SHIM, "-ldl"], settings.base)
    if built.returncode != 0:
        raise Skipped(f"the shim that writes short can't be built: {built.stderr.strip()}")

    def one(box: Box, most: int) -> None:
        with box.copied() as folder:
            log = folder.with_suffix(".short")
            environ = environment(folder) | {
                "LD_PRELOAD": str(shim), "SHORTWRITE_MOST": str(most), "SHORTWRITE_LOG": str(log)}
            done = execute(box.argv(folder), folder, timeout=120, env=environ)
            faults = ending.faults_of_status(done.returncode, {ending.DONE}) or box.faults_at_end(folder)
            if not log.exists() or sum(map(int, log.read_text().split())) < least_calls(most):
                faults.append("the command does not write through the shim, so nothing was shown")
            log.unlink(missing_ok=True)
        outcome.judge(f"{box.scenario.name}, at most {most} bytes at a time", faults)

    sizes = (1, 100) if settings.quick else (1, 2, 7, 24, 100, 511, 512, 513, 4095, 4096)
    # `forget` only removes, and writes nothing.
    writing = [box for box in boxes if box.scenario.command != "forget"]
    settings.each(lambda pair: one(*pair), [(box, most) for box in writing for most in sizes])
