"""The commands that are swept, what each may touch, and how the result is judged.

A judgement never asks Godwit: it compares what is in the container with what an undisturbed run left in a copy of it,
and with rules that must hold whatever happened.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from . import birdlog, coredata, reading
from .birdlog import BUNDLE, CLOUD, CONTAINER, FLAG, LOCAL, OUTPUT, PREFERENCES, SCRATCH, Variant
from .journals import Journal
from .settings import Settings

#: What fills a volume, in `disks`.
FILLER = "filler"
Preparation = Callable[["Scenario", Path, Path], None]
#: Exports that lie beside the container, to be imported: of everything, and of what changed since.
DOCUMENT, INCREMENT = "document", "increment"
#: A saved plan.
PLAN = "plan.json"
#: All that may lie beside a container, and is only read.
BESIDE = (DOCUMENT, INCREMENT, PLAN, BUNDLE)
#: What a draft is written into.
DRAFT = "draft"
#: Reports that name places and runs: compared without those.
REPORTS = ("inspection.txt", "rehearsal.json")
#: The index of a folder of exports.
INDEX = "exports.jsonl"
#: A folder of exports below the output folder.
KEPT = "kept"
#: Where the units of a scheduler are written.
UNITS = "units"
#: Commands that need no manifest: they are given the container alone.
BARE = ("inspect", "init")
#: Where a fleet says what it has done; below the output folder.
JOURNAL = "journal.jsonl"
#: What a fleet calls the container whose own folder it is given.
ALONE = "."
#: What a fleet ends with where a container could not be done; a row of its says why.
SOME_FAILED = 1
#: The two kinds of a fleet's processes: the one that shares the containers out, and one that does them.
COORDINATOR, WORKER = "the coordinator", "its worker"


@dataclass(frozen=True)
class Scenario:
    """One command on one kind of container."""

    command: str
    variant: Variant
    #: Options after the common ones.
    options: tuple[str, ...] = ()
    #: Files of the container that the command only reads: same bytes, size and time afterwards.
    only_read: tuple[str, ...] = ()
    #: Whether nothing in the container may change, and nothing be new there.
    only_reads: bool = False
    #: Commands that were run before, undisturbed.
    before: tuple[tuple[str, ...], ...] = ()
    #: A file, or a folder of files, that the command makes below the output folder.
    product: str | None = None
    prepare: Preparation | None = field(default=None, compare=False)
    #: What it is called where the command alone does not tell.
    title: str = ""
    #: Whether what it makes names the folder it was made in: sweeps that judge it in another one leave it out.
    names_folder: bool = False
    #: The options of the run after one that was stopped, where they are others.
    afterwards: tuple[str, ...] | None = None

    @property
    def kind(self) -> str:
        return self.title or self.command

    @property
    def name(self) -> str:
        return f"{self.kind} ({self.variant.name})"

    @property
    def is_fleet(self) -> bool:
        """Whether a process shares containers out to others, and keeps a journal."""
        return self.command.endswith(" --all")

    def build(self, binary: Path, folder: Path) -> Path:
        (coredata if self.variant.layout == "coreData" else birdlog).build(folder, self.variant)
        for command in self.before:
            execute([binary, *command, *common(folder)], folder, check=True)
        if self.prepare:
            self.prepare(self, binary, folder)
        shutil.rmtree(folder / SCRATCH)
        (folder / SCRATCH).mkdir()
        return folder

    def argv(self, binary: Path, folder: Path, is_afterwards: bool = False) -> list[str]:
        places = {"out": folder / OUTPUT, "document": folder / DOCUMENT, "increment": folder / INCREMENT,
                  "plan": folder / PLAN}
        if self.is_fleet:
            # A journal is of a pass with these very words; a state of it is tried in another folder.
            places["out"] = Path(OUTPUT)
        chosen = self.options if self.afterwards is None or not is_afterwards else self.afterwards
        options = [option.format(**places) for option in chosen]
        if self.command == "forget":
            return [str(binary), self.command, str(folder / OUTPUT / KEPT), "--now", birdlog.NOW, *options]
        if self.is_fleet:
            return [str(binary), *self.command.split(), str(container_word(folder)), *fleet_options(folder), *options]
        if self.command in BARE:
            return [str(binary), self.command, str(container_word(folder)), "--now", birdlog.NOW, *options]
        return [str(binary), *self.command.split(), *common(folder), *options]


def container_word(folder: Path) -> Path:
    """What the command line calls the container: the bundle that it lies in, or its folder."""
    return folder / (BUNDLE if (folder / BUNDLE).exists() else CONTAINER)


def common(folder: Path) -> list[str]:
    return ["-m", str(folder / birdlog.APP / "godwit.yaml"), "-c", str(container_word(folder)), "--now", birdlog.NOW]


def fleet_options(folder: Path) -> list[str]:
    """What a fleet is given besides its containers; one worker, so that calls can be told from the coordinator's."""
    return ["-m", str(folder / birdlog.APP / "godwit.yaml"), "--now", birdlog.NOW, "--journal",
            str(folder / OUTPUT / JOURNAL), "--jobs", "1"]


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's surroundings but the search path; scratch below the folder, where it is looked at."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(folder), "TMPDIR": str(folder / SCRATCH)}


def execute(argv: list, folder: Path, check: bool = False, timeout: float = 60) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(part) for part in argv], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", timeout=timeout)
    if check and done.returncode != 0:
        raise RuntimeError(f"{argv[1]} exits {done.returncode}: {done.stderr.strip()}")
    return done


def content(product: Path, folder: Path) -> object:
    """What must be the same in every run: all bytes of a document; of a store the rows, and that it is Godwit's.

    The pages of a store differ, since the run has an id of its own; a report on a run has it, too, and what looks at a
    container names the folder it is in.
    """
    if product.is_dir():
        return {path.relative_to(product): _file(path, folder) for path in sorted(product.rglob("*")) if path.is_file()}
    if product.name.endswith(".store"):
        return reading.rows(product), reading.migrations(product), reading.is_sound(product)
    if product.name in REPORTS:
        # Where a line breaks depends on the folder's name.
        text = b" ".join(product.read_bytes().split())
        text = re.sub(os.fsencode(folder.parent) + rb"/(point|cut|template)-[^/]*", b"BOX", text)
        return re.sub(rb'"(planSha256|id|durationMilliseconds)" : [^, ]*', rb"\1", text)
    return product.read_bytes()


def _file(path: Path, folder: Path) -> bytes:
    """A file of a folder as it is to be compared."""
    text = path.read_bytes()
    if path.suffix in (".service", ".timer"):
        return re.sub(os.fsencode(folder.parent) + rb"/(point|cut|template)-[^/ ]*", b"BOX", text)
    if path.name == INDEX:
        # How many attempts there were depends on how many were stopped; each line is whole.
        return b"index" if all("outcome" in json.loads(line) for line in text.splitlines()) else text
    # The comments at a draft's head say where the container is, and break their lines accordingly.
    return text[max(0, text.find(b"godwit: 1")):]


def made(folder: Path, product: str | None) -> Path | None:
    """What a command has made, if it is there; a folder counts as soon as there is a file in it."""
    path = folder / OUTPUT / product if product else None
    if path is None or not path.exists():
        return None
    return path if path.is_file() or any(inner.is_file() for inner in path.rglob("*")) else None


@dataclass(frozen=True)
class State:
    """All that a command may change in a container, read independently."""

    local: object
    cloud: object
    removed: tuple
    changed: tuple
    receipts: tuple
    flag: bool
    preferences: object
    #: Bytes of a document; what a store or a folder holds.
    product: object

    @staticmethod
    def of(folder: Path, product: str | None) -> "State":
        container = folder / CONTAINER
        stores = [container / LOCAL, container / CLOUD]
        there = [store for store in stores if store.exists()]
        result = made(folder, product)
        return State(
            local=reading.rows(stores[0]) if stores[0].exists() else None,
            cloud=reading.rows(stores[1]) if stores[1].exists() else None,
            removed=tuple(reading.removed(store) for store in there),
            changed=tuple(reading.changed(store) for store in there),
            receipts=tuple(frozenset(reading.receipts(store)) for store in there),
            flag=reading.flag(container),
            preferences=reading.other_keys(container),
            product=content(result, folder) if result else None)

    def differences(self, other: "State") -> list[str]:
        return [name for name in self.__dataclass_fields__ if getattr(self, name) != getattr(other, name)]


class Box:
    """A scenario built once, copied for every point, and the state an undisturbed run leaves."""

    #: Which kind of a fleet's processes is disturbed; empty for single commands.
    aim = ""

    def __init__(self, scenario: Scenario, binary: Path, base: Path) -> None:
        self.scenario, self.binary, self.base = scenario, binary, base
        self.template = scenario.build(binary, Path(tempfile.mkdtemp(prefix="template-", dir=base)))
        self.before = State.of(self.template, scenario.product)
        self.sources = self._sources(self.template)
        folder = self.copy()
        done = execute(scenario.argv(binary, folder), folder)
        if done.returncode != 0:
            raise RuntimeError(f"{scenario.name}: an undisturbed run exits {done.returncode}: {done.stderr.strip()}")
        self.after = State.of(folder, scenario.product)
        faults = self.faults_at_end(folder)
        if faults:
            raise RuntimeError(f"{scenario.name}: an undisturbed run is judged faulty: {faults}")
        if self.after == self.before:
            raise RuntimeError(f"{scenario.name}: the command changes nothing, so no sweep of it would show anything")
        self.discard(folder)

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

    def argv(self, folder: Path, is_afterwards: bool = False) -> list[str]:
        return self.scenario.argv(self.binary, folder, is_afterwards)

    def run_again(self, folder: Path) -> list[str]:
        """Runs the command undisturbed and judges what is there then."""
        try:
            done = execute(self.argv(folder, is_afterwards=True), folder)
        except subprocess.TimeoutExpired:
            return ["the run afterwards hangs"]
        # An output that a killed command had put in place already is in the way of the next: whole, or it is a fault.
        if done.returncode == 73 and (result := made(folder, self.scenario.product)):
            return self._draft_elsewhere(folder, done.stderr) if result.is_dir() else self.faults_at_end(folder)
        if done.returncode != 0:
            return [f"the run afterwards exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
        return self.faults_at_end(folder) or self._faults_of_another_pass(folder)

    def _faults_of_another_pass(self, folder: Path) -> list[str]:
        """What a fleet's journal calls done is not begun again by the pass after."""
        if not self.scenario.is_fleet:
            return []
        before = self.journal(folder).entries(ALONE)
        done = execute(self.argv(folder, is_afterwards=True), folder)
        if done.returncode != 0:
            return [f"the second pass afterwards exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
        faults = [] if self.journal(folder).entries(ALONE) == before else ["a pass begins what the journal calls done"]
        return faults + self.faults_at_end(folder)

    def _draft_elsewhere(self, folder: Path, message: str) -> list[str]:
        """What a stopped command has written is named as it is, and nothing keeps the next from another folder."""
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
        """What a fleet has written down."""
        return Journal.of(folder / OUTPUT / JOURNAL)

    def faults_of_fleet(self, status: int | None) -> list[str]:
        """Whatever becomes of a worker, the fleet comes to its end."""
        is_met = self.aim == WORKER and status not in (0, SOME_FAILED)
        return [f"it exits {status}, though nothing happened but to its worker"] if is_met else []

    def told(self, folder: Path, status: int | None, stderr: str) -> tuple[int | None, str]:
        """How a command ended and what it said; of a fleet whose container failed, what the row of it says.

        That is what the command says of a single container, so that it can be judged alike.
        """
        row = self.journal(folder).last(ALONE) if self.scenario.is_fleet and status == SOME_FAILED else None
        error = row["entry"].get("error") if row else None
        if not error or error["message"] in stderr:
            return status, stderr
        is_set = ((row.get("report") or {}).get("copy") or {}).get("flag", {}).get("isSet")
        lines = [f"flag {FLAG} set"] if is_set else []
        lines += [f"godwit: error: {error['message']}", f"hint: {error.get('hint')}", ""]
        return error["code"], "\n".join(lines)

    def faults_at_end(self, folder: Path) -> list[str]:
        """What is wrong with a container in which the command has come to its end."""
        # A store that is gone or damaged can't be compared.
        broken = self._faults_of_stores(folder)
        if broken:
            return broken
        faults = [f"{name} differs from an undisturbed run" for name in State.of(folder, self.scenario.product)
                  .differences(self.after)]
        faults += [f"left behind: {path}" for path in reading.leftovers(folder)]
        if self.scenario.is_fleet:
            faults += self.journal(folder).faults_at_end({ALONE})
        return faults + self.faults_whenever(folder)

    def _faults_of_stores(self, folder: Path) -> list[str]:
        container = folder / CONTAINER
        faults = [f"{name} is gone" for name in (LOCAL, CLOUD, PREFERENCES)
                  if (self.template / CONTAINER / name).exists() and not (container / name).exists()]
        stores = [container / name for name in (LOCAL, CLOUD)]
        return faults + [f"{store.name} is damaged" for store in stores
                         if store.exists() and not reading.is_sound(store)]

    def faults_whenever(self, folder: Path) -> list[str]:
        """What must never be wrong, at whatever call the command was stopped."""
        container = folder / CONTAINER
        faults = self._faults_of_stores(folder)
        if faults:
            return faults
        sources = self._sources(folder)
        faults += [f"{path} was touched, though only read" for path, was in self.sources.items()
                   if sources.get(path) != was]
        faults += [f"{path} is new, though nothing was to be written" for path in sources if path not in self.sources]
        if reading.other_keys(container) != self.before.preferences:
            faults.append("other keys of the preferences differ")
        for name, was in ((LOCAL, self.before.local), (CLOUD, self.before.cloud)):
            faults += self._lost(container / name, was)
        if reading.flag(container) and not self.before.flag:
            faults += self._faults_of_flag(container)
        product = made(folder, self.scenario.product)
        if product and not self._is_whole(product, folder):
            faults.append("the output is there but not whole")
        return faults + self._faults_of_journal(folder)

    def _faults_of_journal(self, folder: Path) -> list[str]:
        """A journal has whole lines, and calls nothing done that is not."""
        if not self.scenario.is_fleet:
            return []
        journal = self.journal(folder)
        if not journal.is_done(ALONE):
            return journal.faults
        state = State.of(folder, self.scenario.product)
        return journal.faults + [f"the journal says that it is done, and {name} differs from an undisturbed run"
                                 for name in state.differences(self.after)]

    def _sources(self, folder: Path) -> dict[str, tuple | None]:
        """Fingerprints of what is only read, journals included: a file that appears beside it is a change, too."""
        names = [name + suffix for name in self.scenario.only_read
                 for suffix in (("", "-wal", "-shm", "-journal") if name.endswith(".store") else ("",))]
        paths = {name: folder / CONTAINER / name for name in names}
        found = {name: reading.fingerprint(path) if path.exists() else None for name, path in paths.items()}
        whole = "" if self.scenario.only_reads else coredata.SUPPORT
        # What fills a small volume is the sweep's own.
        listed = reading.listing(folder / CONTAINER / whole)
        return found | {f"{whole}/{name}": mark for name, mark in listed.items() if name != FILLER}

    def _lost(self, store: Path, was: reading.Rows | None) -> list[str]:
        """Records that are neither in their table nor kept in `godwit_removed`."""
        if was is None:
            return []
        now, kept = reading.rows(store), reading.removed(store)
        faults = []
        for table, before in was.items():
            set_aside = sum(count for row, count in kept.items() if row[0] == table.encode())
            if len(now.get(table, [()])) + set_aside < len(before):
                faults.append(f"{store.name}: records of {table} are gone")
        return faults

    def _faults_of_flag(self, container: Path) -> list[str]:
        """A flag that is true speaks of a copy that is there: receipt, and each local record by its key."""
        if not (container / CLOUD).exists():
            return ["flag without a cloud store"]
        faults = [] if "copy" in reading.receipts(container / CLOUD) else ["flag without receipt"]
        local, cloud = reading.rows(container / LOCAL), reading.rows(container / CLOUD)
        if self.scenario.variant.layout == "coreData":
            local = coredata.records(local)
        for table, key in birdlog.ENTITIES.items():
            if table not in local:
                continue
            missing = _keys(local[table], key) - _keys(cloud.get(table, [()]), key)
            # A singleton's record may have any key in the local store; in the cloud store it has the fixed one.
            if table == birdlog.SINGLETON and _keys(cloud.get(table, [()]), key) == {("bytes", birdlog.SINGLETON_KEY)}:
                continue
            if missing:
                faults.append(f"flag though {len(missing)} records of {table} are not in the cloud store")
        return faults

    def is_way_to_the_end(self, state: "State") -> bool:
        """Whether all is as it was or will be, and a folder of exports somewhere between: its index may be ahead."""
        if self.scenario.product != KEPT:
            return False
        product = state.product if isinstance(state.product, dict) else {}
        others = set(self.before.differences(state)) & set(self.after.differences(state)) - {"product"}
        return not others and self._are_kept_exports(product)

    def _are_kept_exports(self, found: dict) -> bool:
        """Between what was there and what is to be: nothing that stays is gone, nothing else is there."""
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
        # Of a draft the manifest comes last: where it is, all is; each file has its name when it is whole.
        kept = {path: text for path, text in found.items() if not path.name.startswith(".godwit-")}
        return Path("godwit.yaml") not in kept and kept.items() <= self.after.product.items()


def _keys(table: list[tuple], key: str) -> set:
    names = table[0]
    return {row[names.index(key)] for row in table[1:]} if key in names else set()


def scenarios() -> list[Scenario]:
    """Every command that writes, on every kind of container where it has something to do."""
    found: list[Scenario] = []
    for variant in birdlog.VARIANTS:
        stores = (LOCAL, CLOUD) if variant.cloud == "existing" else (LOCAL,)
        found += [
            Scenario("run", variant),
            Scenario("copy", variant, only_read=(LOCAL,)),
            Scenario("migrate", variant, only_read=(PREFERENCES,)),
            Scenario("dedupe", variant, only_read=(PREFERENCES,)),
            Scenario("dedupe --undo latest", variant, before=(("run",),), only_read=(PREFERENCES,)),
            Scenario("export", variant, ("-o", "{out}/birdlog.json"), only_read=(*stores, PREFERENCES),
                     product="birdlog.json"),
        ]
        if variant.journal == "wal":
            found.append(Scenario(
                "import", variant, ("{document}", "-o", "{out}/restored.store"), prepare=export_document,
                only_read=(*stores, PREFERENCES, f"../{DOCUMENT}"), product="restored.store"))
        else:
            read = (LOCAL, CLOUD, PREFERENCES, f"../{DOCUMENT}")
            found += [
                Scenario("export", variant, ("-o", "{out}/changed.json", "--since", "{document}"), before=(("run",),),
                         prepare=export_twice, only_read=read, product="changed.json", title="export --since"),
                Scenario("import", variant, ("{document}", "{increment}", "-o", "{out}/restored.store"),
                         before=(("run",),), prepare=export_twice, only_read=(*read, f"../{INCREMENT}"),
                         product="restored.store"),
                # What a run that was stopped has done is not what the plan was made from: it is finished without it.
                Scenario("run", variant, ("--plan", "{plan}"), prepare=save_plan, only_read=(f"../{PLAN}",),
                         afterwards=(), title="run --plan"),
                Scenario("export", variant, ("--into", f"{{out}}/{KEPT}", "--if-changed"), prepare=make_kept,
                         only_read=(*stores, PREFERENCES), product=KEPT, title="export --into"),
                Scenario("forget", variant, ("--keep-last", "1"), prepare=keep_exports, only_reads=True, product=KEPT),
                Scenario("schedule", variant,
                         ("--systemd", "--resident", "--into", f"{{out}}/{KEPT}", "-o", f"{{out}}/{UNITS}",
                          "--program", "/bin/true"),
                         prepare=make_units, only_reads=True, product=UNITS, names_folder=True),
                Scenario("verify", variant, ("--expect", "{out}/expected.json", "--update-expect"),
                         only_read=(*stores, PREFERENCES), product="expected.json", title="verify --update-expect"),
            ]
    return found + core_data_scenarios() + fleet_scenarios()


def fleet_scenarios() -> list[Scenario]:
    """The commands over a fleet that write: of one container, so that it can be judged like those over a single one."""
    found: list[Scenario] = []
    for variant in birdlog.VARIANTS:
        stores = (LOCAL, CLOUD) if variant.cloud == "existing" else (LOCAL,)
        found.append(Scenario("run --all", variant))
        if variant.journal == "delete":
            found += [
                Scenario("export --all", variant, ("--into", f"{{out}}/{KEPT}", "--if-changed"), prepare=make_kept,
                         only_read=(*stores, PREFERENCES), product=KEPT),
                Scenario("verify --all", variant, ("--expect", "{out}/expected", "--update-expect"),
                         only_read=(*stores, PREFERENCES), product="expected/container.json"),
            ]
    return found


def core_data_scenarios() -> list[Scenario]:
    """The same where the local store is one of Core Data's, and the commands that look at a container as it is."""
    found: list[Scenario] = []
    for variant in coredata.VARIANTS:
        looks = [
            Scenario("inspect", variant, ("-o", "{out}/inspection.txt"), product="inspection.txt",
                     only_reads=True),
            Scenario("init", variant, ("-o", f"{{out}}/{DRAFT}"), product=DRAFT, only_reads=True),
            Scenario("plan", variant, ("-o", "{out}/rehearsal.json"), product="rehearsal.json", only_reads=True),
            Scenario("export", variant, ("-o", "{out}/birdlog.json"), product="birdlog.json", only_reads=True,
                     title="export of Core Data"),
        ]
        if variant.cloud == "absent":
            writes = [Scenario("run", variant, only_read=(LOCAL,), title="run from Core Data")]
        else:
            writes = [
                Scenario("run", variant, only_read=(LOCAL,), title="run from Core Data"),
                Scenario("copy", variant, only_read=(LOCAL,), title="copy from Core Data"),
                Scenario("run", variant, ("--plan", "{plan}"), prepare=save_plan, only_read=(LOCAL, f"../{PLAN}"),
                         afterwards=(), title="run --plan from Core Data"),
            ]
        found += writes + looks
    return found


def save_plan(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The plan that is run."""
    execute([binary, "plan", *common(folder), "-o", folder / PLAN], folder, check=True)


def make_units(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The folders that units are about, and go into."""
    for name in (KEPT, UNITS):
        (folder / OUTPUT / name).mkdir()


def make_kept(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A folder for exports."""
    (folder / OUTPUT / KEPT).mkdir(parents=True)


def keep_exports(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A folder of three exports, and a letter."""
    make_kept(scenario, binary, folder)
    kept = folder / OUTPUT / KEPT
    for day in (18, 19, 20):
        argv = [*common(folder)[:-1], f"2026-11-{day}T06:00:00Z", "--into", kept]
        execute([binary, "export", *argv], folder, check=True)
    (kept / "letter.txt").write_text("not an export")


def export_document(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The document that is imported: in lines and compressed."""
    execute([binary, "export", *common(folder), "--lines", "--gzip", "-o", folder / DOCUMENT], folder, check=True)


def export_twice(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A document of everything, plain, then some changes in the active store, and what changed."""
    execute([binary, "export", *common(folder), "-o", folder / DOCUMENT], folder, check=True)
    with sqlite3.connect(folder / CONTAINER / CLOUD) as app:
        app.execute("DELETE FROM Sighting WHERE rowid IN (SELECT rowid FROM Sighting ORDER BY id LIMIT 3)")
        app.execute("UPDATE Sighting SET speciesId = speciesId || '' , updatedAt = '2026-11-20T06:00:00Z' "
                    "WHERE rowid IN (SELECT rowid FROM Sighting ORDER BY id DESC LIMIT 3)")
    app.close()
    execute([binary, "export", *common(folder), "--since", folder / DOCUMENT, "-o", folder / INCREMENT], folder,
            check=True)


#: Of the commands over a Core Data store, those that a quick sweep takes; the plain ones are all in it.
QUICK = ("run from Core Data", "init", "inspect")
#: Of those over a fleet: one whose worker writes to stores, one whose worker makes files.
QUICK_FLEETS = ("run --all", "export --all")


def diagonal(found: list[Scenario]) -> list[Scenario]:
    """One scenario for each command, each on another kind of container than the last: what a quick sweep takes."""
    chosen = []
    kinds = dict.fromkeys(scenario.kind for scenario in found)
    for place, kind in enumerate(kinds):
        mine = [scenario for scenario in found if scenario.kind == kind]
        is_plain = mine[0].variant.layout == "tables" and not mine[0].is_fleet
        if is_plain or kind in QUICK + QUICK_FLEETS:
            chosen.append(mine[place % len(mine)])
    return chosen


def swept(settings: Settings) -> list[Scenario]:
    """What a sweep of every point takes: in a quick one, of Core Data stores and fleets some commands, each on one."""
    found = settings.chosen(scenarios())
    if not settings.quick or settings.only:
        return found
    rare = [scenario for scenario in found if scenario.variant.layout == "coreData" or scenario.is_fleet]
    return [scenario for scenario in found if scenario not in rare] + diagonal(rare)
