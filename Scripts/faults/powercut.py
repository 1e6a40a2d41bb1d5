"""Power cuts: every state that one could leave after each call of a command, each judged like a crash.

A sweep with SIGKILL never loses written data, since the system's cache outlives the process: it would pass without any
flush. This one would not.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import tempfile
from pathlib import Path

from . import birdlog, tracing
from .judgment import Box
from .disk import LINK, Disk, Files
from .outcome import Outcome
from .recording import CALLS, Recording, calls
from .scenario import INPUTS, JOURNAL, Scenario, container_word, execute
from .scenarios import swept
from .settings import Settings

FOLDERS = (birdlog.CONTAINER, birdlog.OUTPUT)
MODELS = ("strict", "ext4")


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    outcome = Outcome("powercut", "states")
    audits = 0
    for scenario in [one for one in swept(settings) if not one.names_folder and not is_elsewhere(one)]:
        box = Box(scenario, settings.binary, settings.base)
        folder, log = record(box)
        for model in MODELS:
            states, audit = possible(box, folder, log, model, settings)
            for note in audit:
                outcome.failed(f"{scenario.name}, {model}: {note}")
            audits += len(audit)
            settings.each(lambda state: outcome.judge(
                f"{scenario.name}, {model}, cut after {state[0]}", judge(box, state[1])), states)
            settings.say(f"{scenario.name}, {model}: {len(states)} states")
        box.discard(folder)
    outcome.notes.append(f"{audits} audit notes")
    return outcome


def record(box: Box) -> tuple[Path, Path]:
    """Records an undisturbed run with every byte that it writes."""
    folder = box.copy()
    log = folder.with_suffix(".recording")
    done = execute(
        ["strace", "-f", "-qq", "-xx", "-s", "16777216", "-e", "signal=none",
         "-e", "trace=" + ",".join("?" + call for call in CALLS), "-o", log, "--", *box.argv(folder)], folder)
    if done.returncode != 0:
        raise RuntimeError(f"{box.scenario.name}: under strace it exits {done.returncode}: {done.stderr[-300:]}")
    return folder, log


def possible(box: Box, folder: Path, log: Path, model: str,
             settings: Settings) -> tuple[list[tuple[str, Files]], list[str]]:
    """The distinct states, and what is wrong in the recording itself."""
    choice = random.Random(f"{settings.seed} {box.scenario.name} {model}")
    pristine = box.copy()
    # The model begins with the files before the run, under the name that the recording has.
    disk = Disk(pristine, FOLDERS)
    disk.root = str(folder.resolve())
    recording = Recording(disk, str(folder.resolve()), model)
    seen: set[bytes] = set()
    states: list[tuple[str, Files]] = []

    def take(what: str) -> None:
        for label, files in disk.states(choice, settings.mixed_states):
            digest = _digest(files)
            if digest not in seen:
                seen.add(digest)
                states.append((f"{what} [{label}]", files))

    take("the start")
    for call, arguments, result, process in calls(log):
        changed = recording.follow(call, arguments, result, process)
        if changed:
            take(changed)
    wrong = disk.differs_from_reality()
    if wrong:
        raise RuntimeError(f"{box.scenario.name}: the model of the disk is wrong about {wrong}")
    box.discard(pristine)
    return _spread(states, settings), recording.audit + disk.never_flushed()


def _spread(states: list[tuple[str, Files]], settings: Settings) -> list[tuple[str, Files]]:
    if settings.stride == 1 or not states:
        return states
    return states[settings.offset(states[-1][0]) % settings.stride::settings.stride]


def _digest(files: Files) -> bytes:
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(repr((name, content is None, hashlib.sha256(content or b"").digest())).encode())
    return whole.digest()


def is_elsewhere(scenario: Scenario) -> bool:
    """Whether a journal names the output folder as a hash: here the folder is another one."""
    return scenario.is_fleet and not scenario.command.startswith("run")


def moved(journal: bytes, folder: Path) -> bytes:
    """A journal as if it had been written here: a fleet is identified by its path."""
    return re.sub(rb'"root":"[^"]*"', b'"root":"' + os.fsencode(container_word(folder).resolve()) + b'"', journal)


def judge(box: Box, files: Files) -> list[str]:
    """Writes a state into a folder of its own, judges it, and runs the command again."""
    folder = Path(tempfile.mkdtemp(prefix="cut-", dir=box.base))
    shutil.copytree(box.template / birdlog.APP, folder / birdlog.APP)
    for name in INPUTS:
        if (box.template / name).is_dir():
            shutil.copytree(box.template / name, folder / name, symlinks=True)
        elif (box.template / name).exists():
            shutil.copy2(box.template / name, folder / name)
    for name in (birdlog.SCRATCH, *FOLDERS):
        (folder / name).mkdir()
    for name, content in sorted(files.items()):
        path = folder / name
        if box.scenario.is_fleet and content is not None and path.name == JOURNAL:
            content = moved(content, folder)
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            if content.startswith(LINK):
                path.symlink_to(os.fsdecode(content.removeprefix(LINK)))
                continue
            path.write_bytes(content)
            original = box.template / name
            # A cut does not change the time of a file that was not written, so the copy keeps it.
            if original.exists() and original.read_bytes() == content:
                shutil.copystat(original, path)
    faults = box.faults_whenever(folder) or box.run_again(folder)
    box.discard(folder)
    return faults
