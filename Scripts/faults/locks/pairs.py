"""Every ordered pair of commands: the first is stopped while it holds the lock, and the second comes.

If it does not wait, it exits 75 if the lock keeps it out, and else it works; if it waits, it goes on when the first does,
and both complete.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from .. import birdlog
from ..birdlog import CONTAINER
from ..judgment import Box
from ..outcome import Outcome
from ..pausing import Paused, container_lock
from ..scenario import Scenario, execute, start
from ..settings import Settings
from ..tracing import Point
from .commands import BUSY, Command, firsts, seconds

NOUN = "meetings of two commands"


def run(settings: Settings, outcome: Outcome) -> None:
    box = Box(Scenario("run", birdlog.VARIANTS[2]), settings.binary, settings.base)
    pairs = [(first, second, patience) for first in firsts() for second in seconds() for patience in ("0s", "60s")]
    if settings.quick:
        pairs = pairs[settings.offset("pairs") % 11::11]

    def one(pair: tuple[Command, Command, str]) -> None:
        first, second, patience = pair
        what = f"{second.name} --lock-timeout {patience} while {first.name} is at work"
        with box.copied() as folder:
            outcome.judge(what, meet(box, folder, first, second, patience))

    settings.each(one, pairs)


def meet(box: Box, folder: Path, first: Command, second: Command, patience: str) -> list[str]:
    """Stops the first right after it took the lock."""
    container = folder / CONTAINER
    # A command asks for the lock first, before it reads anything of the container.
    with Paused(first.argv(box.binary, folder), folder, Point("flock", 1)) as paused:
        if not paused.stopped:
            return [f"{first.name} asks for no lock"]
        if container_lock(paused.trace(), container) != first.lock:
            return [f"{first.name} has not taken the lock first of all, {first.lock}"]
        must_wait = second.waits_for(first.lock)
        argv = second.argv(box.binary, folder, "--lock-timeout", patience)
        if patience == "0s":
            faults = impatient(argv, folder, must_wait)
            paused.go_on()
        else:
            faults = patient(argv, folder, must_wait, paused)
        ended = paused.end()
    if ended.status not in (0, 1) or ended.status == 1 and first.name != "verify":
        faults.append(f"{first.name} exits {ended.status}: {ended.stderr.strip().splitlines()[:1]}")
    return faults


def impatient(argv: list[str], folder: Path, must_wait: bool) -> list[str]:
    done = execute(argv, folder)
    if must_wait:
        return faults_of_refusal(done, str(folder / CONTAINER))
    return [] if done.returncode in (0, 1) else [f"it exits {done.returncode}: {done.stderr.strip()}"]


def faults_of_refusal(done: subprocess.CompletedProcess, name: str) -> list[str]:
    """75, one clear line, a hint, and nothing on standard output."""
    if done.returncode != BUSY:
        return [f"it exits {done.returncode} instead of 75"]
    lines = done.stderr.strip().splitlines()
    faults = [] if any(name in line for line in lines) else [f"what is locked is not named: {lines}"]
    if not any(line.startswith("hint:") for line in lines):
        faults.append(f"no hint: {lines}")
    return faults


def patient(argv: list[str], folder: Path, must_wait: bool, paused: Paused) -> list[str]:
    process = start(argv, folder)
    faults = []
    if must_wait:
        time.sleep(0.15)
        if process.poll() is not None:
            faults.append(f"it does not wait but exits {process.returncode}")
    else:
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            faults.append("it waits for what does not keep it out")
    paused.go_on()
    try:
        _, stderr = process.communicate(timeout=90)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [*faults, "it goes on waiting when the lock is free"]
    if process.returncode not in (0, 1):
        faults.append(f"it exits {process.returncode}: {stderr.strip().splitlines()[:1]}")
    return faults
