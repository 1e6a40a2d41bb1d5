"""Fails each flush with EIO: data that was not flushed must never count as durable.

After a failed fsync the system may drop what it could not write and call the next fsync a success. So Godwit must not
flush the same descriptor again without writing again, and no file may get its name, and no flag may be set, after such
a failure. A later run flushes what it finds before it sets the flag.
"""

from __future__ import annotations

import re
from pathlib import Path

from . import ending, reading, tracing
from .birdlog import CLOUD, CONTAINER, PREFERENCES, SCRATCH
from .judgment import Box
from .milestones import Milestones
from .outcome import Outcome
from .settings import Settings

FLUSHES = ("fsync", "fdatasync")
#: The calls that are followed after the failure.
FOLLOWED = ("fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "openat", "close", "write",
            "pwrite64", "ftruncate")
FLUSH = re.compile(r"^\d+\s+(?:fsync|fdatasync)\((\d+)<(.*?)>\)\s+= (-?\d+)(.*)$")
CLOSED = re.compile(r"^\d+\s+close\((\d+)")
WRITTEN = re.compile(r"^\d+\s+pwrite64\((\d+)<(.*?)>, .*, (\d+), (\d+)\)\s+= (\d+)")
CUT = re.compile(r"^\d+\s+ftruncate\((\d+)<.*?>, (\d+)\)\s+= 0")
NAMED = re.compile(r'^\d+\s+(?:rename|link)\w*\((?:AT_FDCWD(?:<[^>]*>)?, )?"(.*?)", (?:AT_FDCWD(?:<[^>]*>)?, )?"(.*?)"')


def sweep(box: Box, milestones: Milestones, settings: Settings, outcome: Outcome) -> int:
    """Fails each flush of a scenario once; how many there were."""
    points = tracing.flat(box.points(FLUSHES))
    if settings.quick:
        points = points[settings.offset(box.name) % min(11, len(points) or 1)::11]

    return sum(settings.each(lambda point: outcome.judge(f"{box.name}, EIO at {point} followed", box.inject(
        point, "error=EIO", lambda folder, ended: judge(box, milestones, folder, ended), more=(*FOLLOWED, "execve"),
        options=("-y",))), points))


def judge(box: Box, milestones: Milestones, folder: Path, ended: tracing.Ending) -> list[str]:
    # Of two processes, each has numbers of its own for its files.
    lines = (tracing.without_coordinator(ended.log) if box.aim == tracing.WORKER else ended.log).splitlines()
    status, _ = box.reported(folder, ended.status, ended.stderr)
    index = next(number for number, line in enumerate(lines) if "(INJECTED)" in line)
    match = FLUSH.match(lines[index])
    if match is None:
        raise RuntimeError(f"can't read strace's line {lines[index]!r}")
    descriptor, failed = match[1], match[2]
    faults = box.faults_whenever(folder) + milestones.faults(folder) + ending.leftovers(folder, but_journals=True)
    faults += box.faults_of_fleet(ended.status)
    preferences = str(folder / CONTAINER / PREFERENCES)
    if reason := why_harmless(folder, lines, index, status):
        faults += ending.faults_of_status(status, {ending.DONE, ending.IO})
        if status == ending.DONE:
            faults += box.faults_at_end(folder)
        faults = [f"{fault} ({reason})" for fault in faults]
    else:
        faults += ending.faults_of_status(status, {ending.IO})
        faults += faults_of_names(failed, lines[index:], preferences)
        # Only the flush of the flag's own folder, or of a fleet's journal, may fail when the flag is already visible.
        may_be_set = failed == str(Path(preferences).parent) or box.aim == tracing.COORDINATOR
        if reading.flag(folder / CONTAINER) and not box.before.flag and not may_be_set:
            faults.append(f"flag though {Path(failed).name} was not flushed")
        # Frames of a log that no commit covers do not count, until the next process that opens it moves them into the store.
        if not failed.endswith("-wal"):
            faults += faults_of_second_flush(lines, index, descriptor)
    return faults or heal(box, folder, failed)


def why_harmless(folder: Path, lines: list[str], index: int, status: int | None) -> str:
    """Why a failed flush does not matter; empty if it does."""
    match = FLUSH.match(lines[index])
    failed = match[2] if match else ""
    if failed.startswith(str(folder / SCRATCH)):
        return "a private copy is thrown away"
    if Path(failed).is_dir():
        # SQLite ignores the flush of the folder in which it makes a journal. It checks the one after the journal's end,
        # which decides what is committed.
        later = (FLUSH.match(line) for line in lines[index + 1:])
        return "the folder is flushed again" if any(
            found and found[2] == failed and found[3] == "0" for found in later) else ""
    if not _written(lines[:index], failed):
        return "all of it was flushed before"
    log = Path(failed + "-wal")
    if failed.endswith(".store") and status == ending.DONE and log.exists() and log.stat().st_size > 0:
        return "a checkpoint; all is still in the log"
    return ""


def faults_of_names(failed: str, lines: list[str], preferences: str) -> list[str]:
    """Names and flags that rest on data that is perhaps not on the disk."""
    faults = []
    for line in lines[1:]:
        named = NAMED.match(line)
        if named and line.rstrip().endswith("= 0"):
            if named[1] == failed:
                faults.append(f"{Path(failed).name} was not flushed, and renamed into place")
            if named[2] == preferences:
                faults.append(f"{Path(failed).name} was not flushed, and the flag written after that")
    return faults


def faults_of_second_flush(lines: list[str], index: int, descriptor: str) -> list[str]:
    """A second flush passes without writing, unless all of the data was written again, as a rollback does."""
    match = FLUSH.match(lines[index])
    lost = _written(lines[:index], match[2] if match else "")
    again: set[tuple[int, int]] = set()
    for line in lines[index + 1:]:
        if (closed := CLOSED.match(line)) and closed[1] == descriptor:
            return []
        if (written := WRITTEN.match(line)) and written[1] == descriptor:
            again.add((int(written[4]), int(written[5])))
        elif (cut := CUT.match(line)) and cut[1] == descriptor:
            lost = {piece for piece in lost if piece[0] < int(cut[2])}
        elif (flushed := FLUSH.match(line)) and flushed[1] == descriptor and flushed[3] == "0":
            kept = sorted(lost - again)
            name = Path(flushed[2]).name
            return [f"{name} was flushed again though {len(kept)} pieces of it were not written again"] if kept else []
    return []


def _written(lines: list[str], path: str) -> set[tuple[int, int]]:
    """Offset and length of what was written to a file, by any descriptor, and not flushed."""
    pieces: set[tuple[int, int]] = set()
    for line in lines:
        if (written := WRITTEN.match(line)) and written[2] == path:
            pieces.add((int(written[4]), int(written[5])))
        elif (flushed := FLUSH.match(line)) and flushed[2] == path and flushed[3] == "0":
            pieces = set()
    # A file that is written from its start to its end has no offsets.
    if any(re.match(rf"^\d+\s+write\(\d+<{re.escape(path)}>", line) for line in lines):
        pieces.add((0, 0))
    return pieces


def heal(box: Box, folder: Path, failed: str) -> list[str]:
    """The next run completes; before it sets the flag it has flushed the store that the flag speaks of."""
    recorded = tracing.follow(
        box.argv(folder, is_afterwards=True), folder, ("fsync", "fdatasync", "rename", "renameat2"))
    product = box.scenario.product
    is_there_already = recorded.status == ending.CANNOT_CREATE and product
    if recorded.status != 0 and not is_there_already:
        return [f"the run afterwards exits {recorded.status}: {recorded.stderr.strip().splitlines()[-2:]}"]
    faults = box.faults_at_end(folder) + faults_of_flag(recorded.log, folder)
    store = failed.removesuffix("-wal")
    if store != failed and not _is_flushed(recorded.log, store, folder):
        faults.append(f"{Path(failed).name} was not moved into the store before anything was appended to it")
    return faults


def _is_flushed(log: str, store: str, folder: Path) -> bool:
    """Whether a store was flushed, where its log was written to at all."""
    flushed = [found[2] for line in log.splitlines() if (found := FLUSH.match(line)) and found[3] == "0"]
    return store in flushed or store + "-wal" not in flushed or store.startswith(str(folder / SCRATCH))


def faults_of_flag(log: str, folder: Path) -> list[str]:
    """Whether store and folder were flushed in this very run before the flag was put in place."""
    cloud, preferences = folder / CONTAINER / CLOUD, str(folder / CONTAINER / PREFERENCES)
    flushed: set[str] = set()
    for line in log.splitlines():
        if (found := FLUSH.match(line)) and found[3] == "0":
            flushed.add(found[2])
        elif (named := NAMED.match(line)):
            if named[2] == str(cloud) and named[1] in flushed:
                flushed.add(str(cloud))
            if named[2] == preferences:
                return [f"the flag was set and {path.name} not flushed before" for path in (cloud, cloud.parent)
                        if str(path) not in flushed]
    return []
