"""Crash sweep: SIGKILL at every writing call, at random times, and twice.

The call at which the signal comes does not run, so "before call N + 1" is "after call N"; the last state is covered by
sweeping `exit_group`. What a kill leaves is looked at; then the same command runs again, and is judged. Of a fleet the
process that shares the containers out is killed, then its worker, which costs it the container.
"""

from __future__ import annotations

import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import tracing
from .judgment import Box
from .outcome import Outcome
from .scenario import ALONE, SOME_FAILED, environment
from .scenarios import swept
from .settings import Settings

KILL = "signal=SIGKILL"


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    outcome = Outcome("crash", "kill points")
    tally = {"single": 0, "random": 0, "double": 0}
    for scenario in swept(settings):
        for box in Box(scenario, settings.binary, settings.base).aimed(tracing.COORDINATOR, tracing.WORKER):
            points = sweep(box, settings, outcome)
            tally["single"] += len(points)
            tally["double"] += kill_twice(box, points, settings, outcome)
            tally["random"] += kill_at_random(box, settings, outcome)
            settings.say(f"{box.name}: {len(points)} calls")
    outcome.notes.append(", ".join(f"{count} {kind}" for kind, count in tally.items()))
    return outcome


def sweep(box: Box, settings: Settings, outcome: Outcome) -> list[tracing.Point]:
    """One kill at each writing call until the command gets through."""
    folder = box.copy()
    found = tracing.points(box.argv(folder), folder, aim=box.aim)
    box.discard(folder)
    # A coordinator makes so few calls that a spread of them would be none.
    stride = min(settings.stride, 3) if box.aim == tracing.COORDINATOR else settings.stride
    fired: list[tracing.Point] = []

    def one(point: tracing.Point) -> bool:
        folder = box.copy()
        ended = tracing.inject(box.argv(folder), folder, point, KILL, aim=box.aim)
        if ended.fired:
            fired.append(point)
            outcome.judge(f"{box.name}, killed at {point}", faults_of_row(box, folder, ended) + judge(box, folder))
        box.discard(folder)
        return ended.fired

    for call, numbers in found.items():
        chosen = numbers[settings.offset(call) % stride::stride]
        with ThreadPoolExecutor(settings.jobs) as pool:
            hit = list(pool.map(lambda number: one(tracing.Point(call, number)), chosen))
        if settings.stride == 1 and call not in (*tracing.OPENING, "ioctl", "exit_group"):
            number = numbers[-1] + 1
            while hit and hit[-1] and one(tracing.Point(call, number)):
                number += 1
    return fired


def judge(box: Box, folder: Path) -> list[str]:
    """What a kill has left, and what the next run makes of it."""
    return box.faults_whenever(folder) or box.run_again(folder)


def faults_of_row(box: Box, folder: Path, ended: tracing.Ending) -> list[str]:
    """A worker that is killed costs the fleet one container, and no more; a coordinator is gone without a word."""
    if box.aim != tracing.WORKER:
        return [] if ended.status in (-9, 137) else [f"it was killed, and exits {ended.status}"]
    return faults_of_death(box, folder, ended.status)


def faults_of_death(box: Box, folder: Path, status: int | None) -> list[str]:
    """Whether a fleet says of its container that the worker was killed at it."""
    entries = box.journal(folder).entries(ALONE)
    last = entries[-1]["entry"] if entries else {}
    if status != SOME_FAILED or "died of signal 9" not in last.get("error", {}).get("message", ""):
        return [f"its worker was killed, and it exits {status} with the row {last or 'of nothing'}"]
    return []


def kill_twice(box: Box, swept: list[tracing.Point], settings: Settings, outcome: Outcome) -> int:
    """The run after a kill is killed as well, at a writing call of its own; the third is left alone."""
    choice = random.Random(f"{settings.seed} {box.scenario.name}")
    pairs = [(choice.choice(swept), choice.random()) for _ in range(settings.double_kills)] if swept else []
    if not pairs:
        return 0

    def one(pair: tuple[tracing.Point, float]) -> bool:
        first, where = pair
        folder = box.copy()
        tracing.inject(box.argv(folder), folder, first, KILL, aim=box.aim)
        # What the second run would call is known only from a run on a copy of what the first has left.
        second = _second_point(box, folder, where)
        hit = second is not None and tracing.inject(
            box.argv(folder), folder, second, KILL, aim=box.aim).fired
        if hit:
            outcome.judge(f"{box.name}, killed at {first} and again at {second}", judge(box, folder))
        box.discard(folder)
        return hit

    with ThreadPoolExecutor(settings.jobs) as pool:
        return sum(pool.map(one, pairs))


def _second_point(box: Box, folder: Path, where: float) -> tracing.Point | None:
    import shutil
    import tempfile

    probe = Path(tempfile.mkdtemp(prefix="probe-", dir=box.base))
    shutil.copytree(folder, probe, symlinks=True, dirs_exist_ok=True)
    try:
        found = tracing.points(box.argv(probe), probe, aim=box.aim)
    except RuntimeError:
        # It ends with the code of an output that is there already: whole, as the judgement of the first kill shows.
        return None
    finally:
        box.discard(probe)
    flat = [tracing.Point(call, number) for call, numbers in sorted(found.items()) for number in numbers]
    return flat[int(where * len(flat))] if flat else None


def kill_at_random(box: Box, settings: Settings, outcome: Outcome) -> int:
    """Kills at random moments, without strace: states that only mapped memory can make."""
    if box.aim == tracing.WORKER:
        # At any moment a worker may be before its first container; `fleet` kills workers at random, and judges that.
        return 0
    choice = random.Random(f"random {settings.seed} {box.name}")
    folder = box.copy()
    started = time.monotonic()
    subprocess.run(box.argv(folder), cwd=folder, env=environment(folder), capture_output=True, stdin=subprocess.DEVNULL)
    duration = time.monotonic() - started
    box.discard(folder)
    hits = 0
    for _ in range(settings.random_kills):
        folder, delay = box.copy(), choice.uniform(0, duration)
        process = subprocess.Popen(
            box.argv(folder), cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        # A worker holds this pipe as well, and rolls back when it sees that its coordinator is gone.
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            hits += 1
            outcome.judge(f"{box.name}, killed after {delay * 1000:.1f} ms", judge(box, folder))
        box.discard(folder)
    return hits
