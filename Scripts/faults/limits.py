"""Limits a process lives under: the size of files, and calls that do only a part of what they were asked for."""

from __future__ import annotations

import resource
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import ending
from .judgment import Box
from .outcome import Outcome, Skipped
from .scenario import environment
from .settings import Settings

SHIM = Path(__file__).with_name("shortwrite.c")


def file_sizes(boxes: list[Box], settings: Settings, outcome: Outcome) -> None:
    """RLIMIT_FSIZE at every step until the command gets through: an error, not a death of SIGXFSZ."""
    step = 4096 if settings.quick else 512
    for box in boxes:
        limit, through = 0, 0
        while through < 2 and limit < 1 << 20:
            folder = box.copy()
            done = _run(box, folder, limit)
            outcome.judge(f"{box.scenario.name}, files up to {limit} bytes", judge(box, folder, done))
            through += done.returncode == ending.DONE
            limit += step
            box.discard(folder)


def _run(box: Box, folder: Path, limit: int) -> subprocess.CompletedProcess:
    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        box.argv(folder), cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=60, preexec_fn=restrict)


def judge(box: Box, folder: Path, done: subprocess.CompletedProcess) -> list[str]:
    status, stderr = box.told(folder, done.returncode, done.stderr)
    faults = ending.faults_of_status(status, {ending.DONE, ending.IO})
    if status == ending.DONE:
        faults += box.faults_at_end(folder)
    else:
        faults += box.faults_whenever(folder) + ending.leftovers(folder, but_journals=True)
        faults += ending.faults_of_message(stderr, folder, box.scenario.product)
    return faults or box.run_again(folder)


def least_calls(most: int) -> int:
    """How often a command must at least have called the shim for the test to have shown anything.

    Parts of a page and more hardly cut anything short, so a command that writes little comes through in a few calls.
    """
    return 10 if most <= 513 else 1


def short_writes(boxes: list[Box], settings: Settings, outcome: Outcome) -> None:
    """Calls that write a part, or are interrupted: everything is written all the same."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise Skipped("there is no C compiler (cc) to build the shim that writes short")
    shim = settings.base / "shortwrite.so"
    built = subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(SHIM), "-ldl"],
                           capture_output=True, text=True)
    if built.returncode != 0:
        raise Skipped(f"the shim that writes short can't be built: {built.stderr.strip()}")

    def one(box: Box, most: int) -> None:
        folder = box.copy()
        told = folder.with_suffix(".short")
        environ = environment(folder) | {
            "LD_PRELOAD": str(shim), "SHORTWRITE_MOST": str(most), "SHORTWRITE_LOG": str(told)}
        done = subprocess.run(box.argv(folder), cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=120)
        faults = ending.faults_of_status(done.returncode, {ending.DONE}) or box.faults_at_end(folder)
        if not told.exists() or sum(map(int, told.read_text().split())) < least_calls(most):
            faults.append("the command does not write through the shim, so nothing was shown")
        told.unlink(missing_ok=True)
        outcome.judge(f"{box.scenario.name}, at most {most} bytes at a time", faults)
        box.discard(folder)

    sizes = (1, 100) if settings.quick else (1, 2, 7, 24, 100, 511, 512, 513, 4095, 4096)
    with ThreadPoolExecutor(settings.jobs) as pool:
        # What only removes writes nothing.
        writing = [box for box in boxes if box.scenario.command != "forget"]
        list(pool.map(lambda pair: one(*pair), [(box, most) for box in writing for most in sizes]))
