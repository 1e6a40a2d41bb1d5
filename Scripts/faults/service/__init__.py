"""The service that exports again and again, against a store that an app writes all the while, killed now and then.

The app's transactions keep a sum that every moment of its store agrees with, and number themselves; so an export that shows
two moments at once, or one from before it was begun, is found by its content. Exports are verified by the
independent reader of `Scripts/validate-exports`, and restored.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from .. import birdlog, reading
from ..outcome import Outcome, Skipped
from ..scenario import common, environment, execute
from ..settings import Settings
from .keeper import Keeper
from .plan import Plan
from .proof import Proof
from .writer import LEDGER, state

#: How long anything may take before the sweep takes it for hanging.
PATIENCE = 60


def run(settings: Settings) -> Outcome:
    if not Path("/proc/self/status").exists():
        raise Skipped("memory is read from /proc, which is not here")
    try:
        import jsonschema  # noqa: F401  (whether it is here)
    except ImportError:
        raise Skipped("exports are verified with Python's package jsonschema, which is not here") from None
    outcome = Outcome("service", "exports, kills and other points")
    plan = Plan.quick(settings.seed) if settings.quick else Plan.soak(settings.seed)
    Soak(settings, plan, outcome).go()
    return outcome


class Soak:
    """One run of the service with everything around it."""

    def __init__(self, settings: Settings, plan: Plan, outcome: Outcome) -> None:
        self.settings, self.plan, self.outcome = settings, plan, outcome
        self.folder = settings.base / "soak"
        birdlog.build(self.folder, birdlog.Variant("existing", "wal"))
        self.store = self.folder / birdlog.CONTAINER / birdlog.CLOUD
        execute([settings.binary, "run", *common(self.folder)], self.folder, check=True)
        self.exports = self.folder / "exports"
        self.exports.mkdir()
        self.keeper = Keeper(settings.binary, self.folder, self.exports, plan)
        self.proof = Proof(settings.binary, self.folder, self.exports, outcome)
        self.chance = random.Random(plan.seed)

    def go(self) -> None:
        writer = self._start_writer()
        try:
            self._wait(lambda: state(self.store) is not None, "the app writes nothing")
            started = time.monotonic()
            self.keeper.start()
            self._live(started)
            writer.send_signal(signal.SIGTERM)
            writer.wait(PATIENCE)
            self._settle()
        finally:
            writer.kill()
            writer.wait()
            self.keeper.kill()
        self._tell()

    def _start_writer(self) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-B", "-c", "from faults.service.writer import main; main()", str(self.store),
             str(self.plan.seed)],
            env=environment(self.folder) | {"PYTHONPATH": str(Path(__file__).parents[2])}, stdin=subprocess.DEVNULL)

    def _live(self, started: float) -> None:
        """Verifies, samples, forgets and kills until the time is over."""
        kills = list(self.plan.kills)
        forget_at = self.plan.forget_every
        while (now := time.monotonic() - started) < self.plan.seconds:
            self.keeper.sample()
            self.proof.look()
            if now >= forget_at:
                forget_at += self.plan.forget_every
                self._forget()
            if kills and now >= kills[0]:
                kills.pop(0)
                self._kill(aimed=len(kills) % 2 == 0)
            time.sleep(0.1)

    def _kill(self, aimed: bool) -> None:
        """Kills the service: at any moment, or while it writes an export."""
        limit = time.monotonic() + 3 * self.plan.every
        while aimed and time.monotonic() < limit:
            if any(name.startswith(".godwit-out-") for name in os.listdir(self.exports)):
                break
        if not aimed:
            time.sleep(self.chance.random() * self.plan.every)
        self.keeper.kill()
        self.outcome.judge(f"kill {self.keeper.lives}", self.proof.faults_of_folder())
        self.keeper.start()

    def _forget(self) -> None:
        done = execute(
            [self.settings.binary, "forget", self.exports, "--keep-last", "20", "--keep-within", "5m", "-q"], self.folder)
        faults = [] if done.returncode == 0 else [f"forget exits {done.returncode}: {done.stderr.strip()}"]
        self.outcome.judge("forget", faults + self.proof.faults_of_folder())

    def _settle(self) -> None:
        """The app has ended: the last export must show the store as it is, and the service end when it is asked."""
        last = state(self.store)
        self._wait(lambda: self.proof.newest_number() == last.number, "the last change is not exported")
        self.proof.look()
        code = self.keeper.stop(PATIENCE)
        faults = [] if code == 0 else [f"it exits {code} when it is asked to stop"]
        left = sorted(name for name in os.listdir(self.exports) if name.startswith("."))
        faults += [f"left behind: {', '.join(left)}"] if left else []
        if not reading.is_sound(self.store):
            faults.append("the store is damaged")
        self.outcome.judge("the end", faults + self.proof.faults_of_folder())
        self.outcome.judge("its log", self.keeper.faults_of_log())
        self.outcome.judge("memory", self.keeper.faults_of_memory())

    def _wait(self, condition, complaint: str) -> None:
        limit = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > limit:
                self.outcome.failed(complaint)
                return
            time.sleep(0.1)

    def _tell(self) -> None:
        self.outcome.notes += [
            f"{self.proof.verified} exports verified, {self.proof.restored} of them restored",
            f"{len(self.plan.kills)} kills", *self.keeper.figures(),
            f"{state(self.store).number} transactions of the app ({LEDGER} agrees with each)",
        ]
