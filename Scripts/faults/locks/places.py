"""The container itself: moved while a run is at work, reached by other ways, read-only, its run killed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Callable, Iterator

from .. import birdlog, pausing, reading, volumes
from ..birdlog import APP, CLOUD, CONTAINER, VARIANTS
from ..judgment import Box
from ..outcome import Outcome
from ..pausing import Paused
from ..scenario import Scenario, execute
from ..settings import Settings
from ..state import State
from ..tracing import Point
from .commands import BUSY, WRITING, export

NOUN = "moved, aliased or orphaned containers"
RUN = WRITING[0]


def run(settings: Settings, outcome: Outcome) -> None:
    for variant in VARIANTS:
        for command in ("run", "copy"):
            box = Box(Scenario(command, variant), settings.binary, settings.base)
            disturb(box, moved, 79, settings, outcome)
            if variant.cloud == "absent":
                disturb(box, rivalled, 29, settings, outcome)
    box = Box(Scenario("run", VARIANTS[2]), settings.binary, settings.base)
    for judge in (other_ways, read_only, killed, shared_group):
        with box.copied() as folder:
            outcome.judge(judge.__doc__ or judge.__name__, judge(box, folder))


def disturb(box: Box, act: Callable[[Box, Path, Paused], list[str]], stride: int, settings: Settings,
            outcome: Outcome) -> None:
    """Stops the command at a spread of all calls, and does something to its container."""
    with box.copied() as folder:
        calls = pausing.counted(box.argv(folder), folder, pausing.CALLS)
    stride *= 41 if settings.quick else 1
    points = pausing.spread(calls, settings.offset(f"{act.__name__} {box.scenario.name}"), lambda _: stride, skipped=())

    def one(point: Point) -> None:
        with box.copied() as folder, Paused(box.argv(folder), folder, point) as paused:
            if paused.stopped:
                outcome.judge(f"{box.scenario.name}, {act.__name__} at {point}", act(box, folder, paused))

    settings.each(one, [point for point in points if point.call not in pausing.SKIPPED])


def moved(box: Box, folder: Path, paused: Paused) -> list[str]:
    """The container goes elsewhere; then it is put back and looked at."""
    container, elsewhere = folder / CONTAINER, folder / "elsewhere"
    container.rename(elsewhere)
    paused.go_on()
    ended = paused.end()
    if ended.status is None:
        return ["it hangs"]
    if container.exists():
        return [f"it made a container of its own, and exits {ended.status}"]
    elsewhere.rename(container)
    if ended.status == 0 and not reading.flag(container):
        return ["it exits 0 without a flag"]
    # 66 if the container was gone before the lock.
    if ended.status not in (0, 66, BUSY):
        return [f"it exits {ended.status}: {ended.stderr.strip().splitlines()[:1]}"]
    return box.faults_whenever(folder) or box.run_again(folder)


def rivalled(box: Box, folder: Path, paused: Paused) -> list[str]:
    """An app makes the cloud store itself, with a record of its own, while the command is about to."""
    store = folder / CONTAINER / CLOUD
    if store.exists():
        paused.go_on()
        return [] if paused.end().status == 0 else ["it fails undisturbed"]
    app = sqlite3.connect(store)
    app.executescript(birdlog.MIGRATIONS["V0001__create_store.sql"])
    app.execute("INSERT INTO Species VALUES ('species-rival', 'Rival', 1.5, '2026-01-01T00:00:00Z')")
    app.commit()
    app.close()
    paused.go_on()
    ended = paused.end()
    if ended.status not in (0, BUSY):
        return [f"it exits {ended.status}: {ended.stderr.strip().splitlines()[:1]}"]
    if ended.status == BUSY:
        if reading.flag(folder / CONTAINER):
            return ["it exits 75 with the flag set"]
        done = execute(box.argv(folder), folder)
        if done.returncode != 0:
            return [f"the run afterwards exits {done.returncode}: {done.stderr.strip().splitlines()[:1]}"]
    return faults_with_rival(box, folder)


def faults_with_rival(box: Box, folder: Path) -> list[str]:
    state = State.of(folder, None)
    def text(value: str) -> tuple[str, object]:
        return reading.typed(reading.Text(value.encode()))

    rival = (text("species-rival"), text("Rival"), reading.typed(1.5),
             text("2026-01-01T00:00:00Z"))
    species = list((state.cloud or {}).get("Species", []))
    if rival not in species:
        return ["what the app wrote to its store is gone"]
    faults = [] if state.flag else ["the flag is missing"]
    expected = (box.after.cloud or {})["Species"]
    if sorted(species[1:], key=repr) != sorted([*expected[1:], rival], key=repr):
        faults.append("the cloud store has other species than expected")
    return faults + [f"left behind: {path}" for path in reading.leftovers(folder)]


def other_ways(box: Box, folder: Path) -> list[str]:
    """a container reached through a link, a relative path or a bind mount is locked all the same"""
    (folder / "link").symlink_to(folder / CONTAINER)
    ways = {"a link": "link", "a relative path": f"{APP}/../{CONTAINER}/.", "the folder itself": CONTAINER}
    faults = []
    with mounted(folder, is_read_only=False) as mount, Paused(box.argv(folder), folder, Point("flock", 1)) as paused:
        if mount:
            ways["a bind mount"] = mount.name
        if not paused.stopped:
            return ["it takes no lock"]
        for name, way in ways.items():
            argv = [str(box.binary), "run", "-m", f"{APP}/godwit.yaml", "-c", way, "--lock-timeout", "0s"]
            done = execute(argv, folder)
            if done.returncode != BUSY:
                faults.append(f"through {name} a second run exits {done.returncode}")
        paused.go_on()
        if paused.end().status != 0:
            faults.append("the first fails")
    return faults + box.faults_at_end(folder)


def read_only(box: Box, folder: Path) -> list[str]:
    """a container that can only be read is locked as well, and read"""
    faults = []
    with mounted(folder, is_read_only=True) as mount:
        if not mount:
            return []
        reader = export("first.json").argv(box.binary, folder)
        reader[reader.index("-c") + 1] = str(mount)
        with Paused(reader, folder, Point("flock", 1)) as paused:
            done = execute(RUN.argv(box.binary, folder, "--lock-timeout", "0s"), folder)
            if not paused.stopped or done.returncode != BUSY:
                faults.append(f"a writer during a reader of the read-only mount exits {done.returncode}")
            paused.go_on()
            if paused.end().status != 0:
                faults.append("the reader fails")
        writer = RUN.argv(box.binary, folder)
        writer[writer.index("-c") + 1] = str(mount)
        done = execute(writer, folder)
        if done.returncode != 77:
            faults.append(f"run on the read-only mount exits {done.returncode}: {done.stderr.strip()}")
    return faults or box.run_again(folder)


@contextmanager
def mounted(folder: Path, is_read_only: bool) -> Iterator[Path | None]:
    """A bind mount of the container; None if this user may not mount."""
    mount = folder / "mounted"
    mount.mkdir()
    with ExitStack() as stack:
        try:
            stack.enter_context(volumes.bound(folder / CONTAINER, mount, is_read_only))
        except RuntimeError:
            yield None
        else:
            yield mount
    mount.rmdir()


def killed(box: Box, folder: Path) -> list[str]:
    """the lock of a run that is killed is free at once"""
    with Paused(box.argv(folder), folder, Point("flock", 1)) as paused:
        if execute(RUN.argv(box.binary, folder, "--lock-timeout", "0s"), folder).returncode != BUSY:
            return ["the lock is not held"]
        paused.kill()
        paused.end()
    done = execute(RUN.argv(box.binary, folder, "--lock-timeout", "0s"), folder)
    if done.returncode != 0:
        return [f"afterwards a run exits {done.returncode}: {done.stderr.strip()}"]
    return box.faults_at_end(folder)


def shared_group(box: Box, folder: Path) -> list[str]:
    """two containers that share a group container wait for each other"""
    other = folder / "other"
    (other / "Library").mkdir(parents=True)
    argv = [str(box.binary), "run", "-m", str(folder / APP / "godwit.yaml"), "-c", str(other),
            "--group-container", str(folder / CONTAINER), "--lock-timeout", "0s"]
    with Paused(box.argv(folder), folder, Point("flock", 1)) as paused:
        done = execute(argv, folder)
        paused.go_on()
        ended = paused.end()
    faults = [] if done.returncode == BUSY else [f"the second exits {done.returncode}"]
    if ended.status != 0:
        faults.append("the first fails")
    shutil.rmtree(other)
    return faults + box.faults_at_end(folder)
