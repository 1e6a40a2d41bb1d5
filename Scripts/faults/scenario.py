"""One command that is swept, on one kind of container: what it is given, what it may touch, and how it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from . import birdlog, coredata
from .birdlog import BUNDLE, CONTAINER, OUTPUT, SCRATCH, Variant

#: What fills a volume, in `disks`.
FILLER = "filler"
Preparation = Callable[["Scenario", Path, Path], None]
#: Exports next to the container, to be imported: of everything, and of later changes.
DOCUMENT, INCREMENT = "document", "increment"
#: A saved plan.
PLAN = "plan.json"
#: Everything that may be next to a container, and is only read.
INPUTS = (DOCUMENT, INCREMENT, PLAN, BUNDLE)
#: What a draft is written into.
DRAFT = "draft"
#: Reports that name places and runs: compared without those.
REPORTS = ("inspection.txt", "plan.json")
#: The index of a folder of exports.
INDEX = "exports.jsonl"
#: A folder of exports below the output folder.
KEPT = "kept"
#: Where the units of a scheduler are written.
UNITS = "units"
#: Commands that need no manifest, only the container.
BARE = ("inspect", "init")
#: Where a fleet says what it has done; below the output folder.
JOURNAL = "journal.jsonl"
#: What a fleet calls the container whose own folder it is given.
SELF = "."
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
    #: Its name, if the command is not enough.
    title: str = ""
    #: Whether what it makes names the folder it was made in: sweeps that judge it in another one leave it out.
    names_folder: bool = False
    #: The options of the run after one that was stopped, where they are others.
    afterwards: tuple[str, ...] | None = None
    #: Whether files get other names, so that for a moment no file has its own name.
    puts_back: bool = False
    #: Whether the command finds nothing to do.
    changes_nothing: bool = False

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
    """The container on the command line: its bundle, or its folder."""
    return folder / (BUNDLE if (folder / BUNDLE).exists() else CONTAINER)


def common(folder: Path) -> list[str]:
    return ["-m", str(folder / birdlog.APP / "godwit.yaml"), "-c", str(container_word(folder)), "--now", birdlog.NOW]


def fleet_options(folder: Path) -> list[str]:
    """The options of a fleet; one worker, so that its calls can be separated from those of the coordinator."""
    return ["-m", str(folder / birdlog.APP / "godwit.yaml"), "--now", birdlog.NOW, "--journal",
            str(folder / OUTPUT / JOURNAL), "--jobs", "1"]


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's surroundings but the search path; scratch below the folder, where it is looked at."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(folder), "TMPDIR": str(folder / SCRATCH)}


def execute(
    argv: list, folder: Path, check: bool = False, timeout: float = 60, **options: Any
) -> subprocess.CompletedProcess:
    """Runs a command to its end; options are those of `subprocess.run`."""
    done = subprocess.run(
        [str(part) for part in argv], capture_output=True, timeout=timeout, **_process_options(folder) | options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{argv[1]} exits {done.returncode}: {done.stderr.strip()}")
    return done


def start(argv: list, folder: Path, **options: Any) -> subprocess.Popen:
    """Starts a command; options are those of `subprocess.Popen`."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([str(part) for part in argv], **_process_options(folder) | pipes | options)


def _process_options(folder: Path) -> dict[str, Any]:
    return {"cwd": folder, "env": environment(folder), "stdin": subprocess.DEVNULL, "text": True, "errors": "replace"}
