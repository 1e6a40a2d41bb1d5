"""Tests of fleets: disturbed until they complete, in shards at the same time, and two passes at once."""

from __future__ import annotations

import fcntl
import random
import time
from collections import Counter

from ..journals import Journal
from ..outcome import Outcome
from ..settings import Settings
from .disturbances import NOT_BEGUN, SOME_FAILED, Disturbance, sequence
from .passes import Pass
from .plan import Plan
from .scene import Scene

SHARDS = 3
#: A pass is disturbed within the first of so many parts of its work.
PARTS = 4
#: The code for a container, or a journal, that another process uses.
BUSY = 75
#: The number of times that a pass is begun again because the other one used a container.
ATTEMPTS = 5


class Ordeals:
    """The tests over copies of one fleet."""

    def __init__(self, settings: Settings, plan: Plan, template: Scene, outcome: Outcome) -> None:
        self.settings, self.plan, self.template, self.outcome = settings, plan, template, outcome
        self.tally: Counter[str] = Counter()
        #: How long an undisturbed pass takes.
        self.seconds = 0.0

    def figures(self) -> list[str]:
        """The numbers of the disturbances."""
        return [", ".join(f"{count} {what}" for what, count in self.tally.items())]

    def undisturbed(self) -> None:
        """One undisturbed pass, and one more that finds nothing to do."""
        scene = self._scene("undisturbed")
        started = time.monotonic()
        for what in ("an undisturbed pass", "the pass after"):
            status, stderr = self._start(scene, "journal", "--jobs", "2").end()
            self.seconds = self.seconds or time.monotonic() - started
            self._judge_end(what, scene, status, stderr, ["journal"])
        scene.discard()

    def disturbed(self, number: int) -> None:
        """Disturbs pass after pass until one completes."""
        scene, choice = self._scene(f"disturbed-{number}"), random.Random(f"{self.plan.seed} {number}")
        known: set[str] = set()
        for disturbance in sequence(number, self.plan.disturbances, choice):
            if not self._disturb(scene, disturbance, choice, known):
                break
        status, stderr = self._start(scene, "journal", "--jobs", "2").end()
        self._judge_end(f"fleet {number}", scene, status, stderr, ["journal"])
        self.tally["fleets brought through"] += 1
        scene.discard()

    def _disturb(self, scene: Scene, disturbance: Disturbance, choice: random.Random, known: set[str]) -> bool:
        """Disturbs one pass; false if nothing is left to do. What is new in the journal must be true.

        The disturbance comes within a part of the remaining work, so that something is left for the next pass.
        """
        before = len(Journal.of(scene.journal("journal")).lines)
        share = 1 - len(known) / len(scene.names)
        work = self._start(scene, "journal", "--jobs", "2")
        # A disturbance that comes at the end by chance does not count.
        moment = choice.uniform(0.01, 0.03 + self.seconds * share / PARTS)
        is_met = not work.ends_within(moment) and disturbance.act(work, choice)
        overtaking = self._start(scene, "journal", "--jobs", "2") if is_met and disturbance.is_overtaken else None
        status, stderr = work.end()
        later, said = overtaking.end() if overtaking else (SOME_FAILED, "")
        journal = Journal.of(scene.journal("journal"))
        if not is_met or (status == SOME_FAILED and status not in disturbance.statuses):
            return {name for name in scene.names if journal.is_done(name)} != scene.names - scene.failing
        rows = [line for line in journal.lines[before:] if line.get("messageType") == "container"]
        failed = [row for row in rows
                  if row["entry"]["verdict"] == "failed" and row["entry"]["container"] not in scene.failing]
        new = {name for name in scene.names - known if journal.is_done(name)}
        known |= new
        faults = disturbance.faults(status, stderr, failed) + journal.faults
        if later != SOME_FAILED:
            faults.append(f"the pass that was begun at once exits {later}: {said.strip().splitlines()[-2:]}")
        self.outcome.judge(f"{disturbance.name} ({len(known)} of {len(scene.names)} done)",
                           faults + [fault for name in sorted(new) for fault in scene.faults_of(name)])
        self.tally[f"times {disturbance.name}"] += 1
        self.tally["workers ended before they began, and their pass with them"] += status == NOT_BEGUN
        return True

    def shards(self, number: int) -> None:
        """Runs three shards at once; one is killed with all its processes, and begun again."""
        scene, choice = self._scene(f"shards-{number}"), random.Random(f"shards {self.plan.seed} {number}")
        words = [(f"shard-{index}", "--jobs", "1", "--shard", f"{index}/{SHARDS}") for index in range(1, SHARDS + 1)]
        passes = [self._start(scene, *each) for each in words]
        victim = choice.randrange(SHARDS)
        passes[victim].ends_within(choice.uniform(0, self.seconds))
        passes[victim].signal_all(9)
        passes[victim].end()
        passes[victim] = self._start(scene, *words[victim])
        ends = [each.end() for each in passes]
        wrong = [f"shard {index + 1} exits {status}: {stderr.strip().splitlines()[-2:]}"
                 for index, (status, stderr) in enumerate(ends) if status not in (0, SOME_FAILED)]
        journals = [Journal.of(scene.journal(each[0])) for each in words]
        for first in range(SHARDS):
            for second in range(first):
                if both := journals[first].names & journals[second].names:
                    wrong.append(f"{len(both)} containers are in two shards")
        if set().union(*(journal.names for journal in journals)) != scene.names:
            wrong.append("the shards together are not the fleet")
        for journal in journals:
            wrong += journal.faults_at_end(journal.names, scene.failing & journal.names)
        self.outcome.judge(f"shards {number}", wrong + scene.faults_at_end())
        self._count(scene)
        self.tally["fleets in shards"] += 1
        scene.discard()

    def rivals(self, number: int) -> None:
        """Runs two passes over the whole fleet at once, each with its journal: one of them must do each container."""
        scene = self._scene(f"rivals-{number}")
        journals, faults = ["one", "other"], []
        waiting = list(journals)
        for _ in range(ATTEMPTS):
            ends = [self._start(scene, name, "--jobs", "1") for name in waiting]
            for name, (status, stderr) in zip(list(waiting), [each.end() for each in ends]):
                if status != SOME_FAILED:
                    faults.append(f"{name} exits {status}: {stderr.strip().splitlines()[-2:]}")
                busy = self._failed(scene, name)
                faults += [f"a row says {row['entry'].get('error')}" for row in busy
                           if (row["entry"].get("error") or {}).get("code") != BUSY]
                if not busy:
                    waiting.remove(name)
        read = [Journal.of(scene.journal(name)) for name in journals]
        for journal in read:
            faults += journal.faults_at_end(scene.names, scene.failing)
        did = Counter(line["entry"]["container"] for journal in read for line in journal.lines
                      if line["messageType"] == "container" and line["entry"]["verdict"] == "completed")
        new = {name for name in scene.names - scene.failing if scene.members[name] != "done already"}
        if wrong := {name for name in scene.names if did[name] != (name in new)}:
            faults.append(f"{len(wrong)} containers were not done by exactly one of two: {sorted(wrong)[:3]}")
        self.outcome.judge(f"rivals {number}", faults + scene.faults_at_end())
        self._count(scene)
        self.tally["fleets that two wanted at once"] += 1
        scene.discard()

    def held_journal(self) -> None:
        """A journal that another process writes: the pass must not begin."""
        scene = self._scene("held")
        with open(scene.journal("journal"), "wb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            status, stderr = self._start(scene, "journal", "--lock-timeout", "100ms").end()
        faults = [] if status == BUSY else [f"it exits {status}: {stderr.strip().splitlines()[-2:]}"]
        if scene.journal("journal").stat().st_size:
            faults.append("it writes to the journal of another")
        self.outcome.judge("a journal that another process writes", faults)
        status, stderr = self._start(scene, "journal").end()
        self._judge_end("the journal that was held", scene, status, stderr, ["journal"])
        scene.discard()

    def torn_journals(self) -> None:
        """Journals that end anywhere, as a full disk leaves them: two passes must go on from each."""
        scene, choice = self._scene("torn"), random.Random(f"torn {self.plan.seed}")
        self._start(scene, "journal").end()
        text = scene.journal("journal").read_bytes()
        header = text.index(b"\n")
        # Some journals end in the header, more of them after it.
        offsets = [choice.randrange(1, header) for _ in range(self.plan.cuts // 4)]
        offsets += [choice.randrange(header, len(text)) for _ in range(self.plan.cuts - len(offsets))]
        for offset in offsets:
            scene.journal("journal").write_bytes(text[:offset])
            faults = []
            for what in ("the pass after", "the one after that"):
                status, stderr = self._start(scene, "journal").end()
                if status != SOME_FAILED:
                    faults.append(f"{what} exits {status}: {stderr.strip().splitlines()[-2:]}")
            faults = faults or Journal.of(scene.journal("journal")).faults_at_end(scene.names, scene.failing)
            what = f"a journal that ends after {offset} of {len(text)} bytes, {header} of them its header"
            self.outcome.judge(what, faults)
        self.tally["torn journals"] += len(offsets)
        self.outcome.judge("the containers of torn journals", scene.faults_at_end())
        scene.discard()

    def _scene(self, name: str) -> Scene:
        return self.template.copy(self.settings.base / name)

    def _start(self, scene: Scene, journal: str, *options: str) -> Pass:
        return Pass(self.settings.binary, scene, "--journal", str(scene.journal(journal)), *options)

    def _failed(self, scene: Scene, name: str) -> list[dict]:
        """The last rows of sound containers that failed."""
        journal = Journal.of(scene.journal(name))
        last = [journal.last(container) for container in sorted(scene.names - scene.failing)]
        return [row for row in last if row and row["entry"]["verdict"] == "failed"]

    def _judge_end(self, what: str, scene: Scene, status: int | None, stderr: str, journals: list[str]) -> None:
        faults = [] if status == SOME_FAILED else [f"it exits {status}: {stderr.strip().splitlines()[-2:]}"]
        for name in journals:
            faults += Journal.of(scene.journal(name)).faults_at_end(scene.names, scene.failing)
        self.outcome.judge(what, faults + scene.faults_at_end())
        self._count(scene)

    def _count(self, scene: Scene) -> None:
        """Counts each container, since all of it was judged."""
        self.outcome.points += len(scene.names)
