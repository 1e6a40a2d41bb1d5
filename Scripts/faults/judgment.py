"""Judges what a disturbed command has left.

The judge never asks Godwit: it compares the container with what an undisturbed run left in a copy of it, and with rules
that must hold after any disturbance.
"""

from __future__ import annotations

import copy
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator

from . import coredata, ending, reading, tracing
from .birdlog import CLOUD, CONTAINER, FLAG, LOCAL, OUTPUT, PREFERENCES
from .journals import Journal
from .scenario import SELF, FILLER, JOURNAL, KEPT, SOME_FAILED, WORKER, Scenario, execute
from .state import State, content, faults_of_flag, lost_records, made


class Box:
    """A scenario that is built once and copied for every point, and the state that an undisturbed run leaves."""

    #: The kind of a fleet's processes that is disturbed; empty for single commands.
    aim = ""

    def __init__(self, scenario: Scenario, binary: Path, base: Path) -> None:
        self.scenario, self.binary, self.base = scenario, binary, base
        self.template = scenario.build(binary, Path(tempfile.mkdtemp(prefix="template-", dir=base)))
        self.before = State.of(self.template, scenario.product)
        self.sources = self._sources(self.template)
        with self.copied() as folder:
            done = execute(scenario.argv(binary, folder), folder)
            if done.returncode != 0:
                raise RuntimeError(f"{scenario.name}: an undisturbed run exits {done.returncode}: {done.stderr.strip()}")
            self.after = State.of(folder, scenario.product)
            faults = self.faults_at_end(folder)
        if faults:
            raise RuntimeError(f"{scenario.name}: an undisturbed run is judged faulty: {faults}")
        if self.after == self.before and not scenario.changes_nothing:
            raise RuntimeError(f"{scenario.name}: the command changes nothing, so no sweep of it would show anything")

    @property
    def name(self) -> str:
        return f"{self.scenario.name}, {self.aim}" if self.aim else self.scenario.name

    def aimed(self, *aims: str) -> list["Box"]:
        """One for each kind of process that can be disturbed by itself; a single command is one process."""
        if not self.scenario.is_fleet:
            return [self]
        boxes = []
        for aim in aims:
            boxes.append(copy.copy(self))
            boxes[-1].aim = aim
        return boxes

    def copy(self) -> Path:
        """A fresh copy of the container with its times."""
        folder = Path(tempfile.mkdtemp(prefix="point-", dir=self.base))
        shutil.copytree(self.template, folder, symlinks=True, dirs_exist_ok=True)
        return folder

    def discard(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """A fresh copy that is removed afterwards."""
        folder = self.copy()
        try:
            yield folder
        finally:
            self.discard(folder)

    def points(self, calls: tuple[str, ...] = tracing.WRITING) -> dict[str, list[int]]:
        """The calls at which an undisturbed run can be disturbed, with their numbers."""
        with self.copied() as folder:
            return tracing.points(self.argv(folder), folder, calls, self.aim)

    def inject(
        self, point: tracing.Point, fault: str, judge: Callable[[Path, tracing.Ending], Any], **options: Any
    ) -> Any:
        """Disturbs the command in a copy and returns what the judge says; None if the command ended before the point."""
        with self.copied() as folder:
            ended = tracing.inject(self.argv(folder), folder, point, fault, aim=self.aim, **options)
            return judge(folder, ended) if ended.fired else None

    def argv(self, folder: Path, is_afterwards: bool = False) -> list[str]:
        return self.scenario.argv(self.binary, folder, is_afterwards)

    def run_again(self, folder: Path) -> list[str]:
        """Runs the command undisturbed and judges the result."""
        try:
            done = execute(self.argv(folder, is_afterwards=True), folder)
        except subprocess.TimeoutExpired:
            return ["the run afterwards hangs"]
        # An output that a killed command had put in place stops the next run: it must be whole.
        if done.returncode == 73 and (result := made(folder, self.scenario.product)):
            return self._draft_elsewhere(folder, done.stderr) if result.is_dir() else self.faults_at_end(folder)
        if done.returncode != 0:
            return [f"the run afterwards exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
        return self.faults_at_end(folder) or self._faults_of_another_pass(folder)

    def _faults_of_another_pass(self, folder: Path) -> list[str]:
        """The next pass must not begin a container that the journal calls done."""
        if not self.scenario.is_fleet:
            return []
        before = self.journal(folder).entries(SELF)
        done = execute(self.argv(folder, is_afterwards=True), folder)
        if done.returncode != 0:
            return [f"the second pass afterwards exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
        faults = [] if self.journal(folder).entries(SELF) == before else ["a pass begins what the journal calls done"]
        return faults + self.faults_at_end(folder)

    def _draft_elsewhere(self, folder: Path, message: str) -> list[str]:
        """The error must name what a stopped command has written, and the next command must work in another folder."""
        named = [path for path in (folder / OUTPUT).rglob("*") if path.is_file() and str(path) in message]
        if len(named) != 1:
            return [f"it does not say what is in its way: {message.strip().splitlines()[:1]}"]
        place, stopped = folder / OUTPUT / self.scenario.product, folder / f"{self.scenario.product}.stopped"
        faults = [f"left behind: {path}" for path in reading.leftovers(folder)]
        shutil.move(place, stopped)
        done = execute(self.argv(folder), folder)
        if done.returncode != 0:
            return [*faults, f"in another folder it exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
        return faults + self.faults_at_end(folder)

    # Judging

    def journal(self, folder: Path) -> Journal:
        """The journal of the fleet."""
        return Journal.of(folder / OUTPUT / JOURNAL)

    def faults_of_fleet(self, status: int | None) -> list[str]:
        """A fleet must complete its pass, also if a worker fails."""
        is_met = self.aim == WORKER and status not in (0, SOME_FAILED)
        return [f"it exits {status}, though nothing happened but to its worker"] if is_met else []

    def reported(self, folder: Path, status: int | None, stderr: str) -> tuple[int | None, str]:
        """How a command ended and what it wrote; for a fleet whose container failed, the error in the container's row.

        The row has the error of the command for a single container, so the judge is the same for both.
        """
        row = self.journal(folder).last(SELF) if self.scenario.is_fleet and status == SOME_FAILED else None
        error = row["entry"].get("error") if row else None
        if not error or error["message"] in stderr:
            return status, stderr
        is_set = ((row.get("report") or {}).get("copy") or {}).get("flag", {}).get("isSet")
        lines = [f"flag {FLAG} set"] if is_set else []
        lines += [f"godwit: error: {error['message']}", f"hint: {error.get('hint')}", ""]
        return error["code"], "\n".join(lines)

    def faults_of_end(
        self, folder: Path, done: subprocess.CompletedProcess, allowed: set[int], names_file: bool = True
    ) -> list[str]:
        """A command that met an obstacle either completed, or failed with the right code and one clear line."""
        status, stderr = self.reported(folder, done.returncode, done.stderr)
        faults = ending.faults_of_status(status, allowed | {ending.DONE})
        if status == ending.DONE:
            return faults + self.faults_at_end(folder)
        return (faults + self.faults_whenever(folder) + ending.leftovers(folder, but_journals=True)
                + ending.faults_of_message(stderr, folder, self.scenario.product, names_file))

    def faults_at_end(self, folder: Path) -> list[str]:
        """What is wrong with a container in which the command has completed."""
        # A store that is gone or damaged cannot be compared.
        broken = self._faults_of_stores(folder)
        if broken:
            return broken
        faults = [f"{name} differs from an undisturbed run" for name in State.of(folder, self.scenario.product)
                  .differences(self.after)]
        faults += [f"left behind: {path}" for path in reading.leftovers(folder)]
        if self.scenario.is_fleet:
            faults += self.journal(folder).faults_at_end({SELF})
        return faults + self.faults_whenever(folder)

    def _faults_of_stores(self, folder: Path) -> list[str]:
        container = folder / CONTAINER
        faults = [f"{name} is gone" for name in (LOCAL, CLOUD, PREFERENCES)
                  if (self.template / CONTAINER / name).exists() and not (container / name).exists()
                  and not self.scenario.puts_back]
        stores = [container / name for name in (LOCAL, CLOUD)]
        return faults + [f"{store.name} is damaged" for store in stores
                         if store.exists() and not reading.is_sound(store)]

    def faults_whenever(self, folder: Path) -> list[str]:
        """What must never be wrong, at any call at which the command may stop."""
        container = folder / CONTAINER
        faults = self._faults_of_stores(folder)
        if faults:
            return faults
        if self.scenario.puts_back:
            return self._faults_of_new_names(folder)
        sources = self._sources(folder)
        faults += [f"{path} was touched, though only read" for path, was in self.sources.items()
                   if sources.get(path) != was]
        faults += [f"{path} is new, though nothing was to be written" for path in sources if path not in self.sources]
        if reading.other_keys(container) != self.before.preferences:
            faults.append("other keys of the preferences differ")
        for name, was in ((LOCAL, self.before.local), (CLOUD, self.before.cloud)):
            faults += lost_records(container / name, was)
        if reading.flag(container) and not self.before.flag:
            faults += faults_of_flag(container, self.scenario.variant)
        product = made(folder, self.scenario.product)
        if product and not self._is_whole(product, folder):
            faults.append("the output is there but not whole")
        return faults + self._faults_of_journal(folder)

    def _faults_of_new_names(self, folder: Path) -> list[str]:
        """Each file must still exist and be whole, under its own name or under another name next to it."""
        faults = []
        for name in (LOCAL, CLOUD, PREFERENCES):
            was, path = self.template / CONTAINER / name, folder / CONTAINER / name
            found = [path] + [one for one in path.parent.glob(path.name + ".before-rollback-*")
                              if not one.name.endswith(("-wal", "-shm", "-journal"))]
            found = [one for one in found if one.exists()]
            if not was.exists():
                continue
            if name == PREFERENCES:
                is_kept = any(one.read_bytes() == was.read_bytes() for one in found)
            else:
                is_kept = any(reading.is_sound(one) and reading.rows(one) == reading.rows(was) for one in found)
            if not is_kept:
                faults.append(f"{name} as it was is not there any more, under no name")
        return faults

    def _faults_of_journal(self, folder: Path) -> list[str]:
        """A journal must have whole lines, and call nothing done that is not."""
        if not self.scenario.is_fleet:
            return []
        journal = self.journal(folder)
        if not journal.is_done(SELF):
            return journal.faults
        state = State.of(folder, self.scenario.product)
        return journal.faults + [f"the journal says that it is done, and {name} differs from an undisturbed run"
                                 for name in state.differences(self.after)]

    def _sources(self, folder: Path) -> dict[str, tuple | None]:
        """Fingerprints of what is only read, journals included: a new file next to it is a change as well."""
        names = [name + suffix for name in self.scenario.only_read
                 for suffix in (("", "-wal", "-shm", "-journal") if name.endswith(".store") else ("",))]
        paths = {name: folder / CONTAINER / name for name in names}
        found = {name: reading.fingerprint(path) if path.exists() else None for name, path in paths.items()}
        whole = "" if self.scenario.only_reads else coredata.SUPPORT
        # The filler of a small volume belongs to the sweep.
        listed = reading.listing(folder / CONTAINER / whole)
        return found | {f"{whole}/{name}": mark for name, mark in listed.items() if name != FILLER}

    def is_way_to_the_end(self, state: "State") -> bool:
        """Whether all is as before or as at the end, and a folder of exports is in between: its index may be ahead."""
        if self.scenario.product != KEPT:
            return False
        product = state.product if isinstance(state.product, dict) else {}
        others = set(self.before.differences(state)) & set(self.after.differences(state)) - {"product"}
        return not others and self._are_kept_exports(product)

    def _are_kept_exports(self, found: dict) -> bool:
        """Whether a folder of exports has all files that stay, and no file that neither state has."""
        was = self.before.product if isinstance(self.before.product, dict) else {}
        kept = {path: text for path, text in found.items() if not path.name.startswith(".godwit-")}
        return was.items() & self.after.product.items() <= kept.items() <= was.items() | self.after.product.items()

    def _is_whole(self, product: Path, folder: Path) -> bool:
        if self.after.product is None:
            return product.is_dir() or reading.is_sound(product)
        found = content(product, folder)
        if not product.is_dir() or found == self.after.product:
            return found == self.after.product
        if product.name == KEPT:
            return self._are_kept_exports(found)
        # The manifest of a draft comes last, after all other files; each file gets its name when it is whole.
        kept = {path: text for path, text in found.items() if not path.name.startswith(".godwit-")}
        return Path("godwit.yaml") not in kept and kept.items() <= self.after.product.items()
