"""Signals while a command waits for another process, or is in the middle of long work: an end within a second."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator

from . import birdlog, ending, reading
from .birdlog import CLOUD, CONTAINER, FLAG, LOCAL, OUTPUT
from .outcome import Outcome
from .scenario import common, start
from .settings import Settings

#: The limit, for a busy machine; the real figures are a tenth of it.
SECONDS = 1.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Records of the larger store.
RECORDS = 20_000
Holding = Callable[[Path], "object"]


def try_all(settings: Settings, outcome: Outcome) -> int:
    """The number of signals that were sent; in the quick sweep one of three for each kind of waiting."""
    before = outcome.points
    waits = [(command, holding) for holding in (locked_container, writing_app) for command in (
        ["run"], ["copy"], ["migrate"], ["dedupe"], ["export", "-o", "-"], ["verify"])]
    # `plan` copies the files of a store that an app has locked, and does not wait.
    waits.append((["plan"], locked_container))
    cases = [(command, holding, number) for command, holding in waits for number in SIGNALS]
    if settings.quick:
        cases = cases[settings.seed % 3::3][::2]
    settings.each(lambda case: wait(*case, settings, outcome), cases)
    long_work(settings, outcome)
    hang_up_ignored(settings, outcome)
    return outcome.points - before


@contextmanager
def locked_container(folder: Path) -> Iterator[None]:
    """Another run holds the container."""
    descriptor = os.open(folder / CONTAINER, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


@contextmanager
def writing_app(folder: Path) -> Iterator[None]:
    """An app is in the middle of writing to its store, and no other process may read it."""
    connection = sqlite3.connect(folder / CONTAINER / LOCAL, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def wait(command: list[str], holding: Holding, number: signal.Signals, settings: Settings, outcome: Outcome) -> None:
    """Sends a signal while the command waits: nothing may be done or left behind, and it must end at once."""
    folder = birdlog.build(_new_folder(settings), birdlog.VARIANTS[0])
    before = reading.listing(folder)
    with holding(folder):
        process = _start([str(settings.binary), *command, *common(folder), "--lock-timeout", "1m"], folder)
        # A command that waits sleeps again and again: it waits when its processor time no longer grows.
        _until_idle(process)
        faults = [] if process.poll() is None else [f"it does not wait, but exits {process.returncode}"]
        faults += faults_of_signal(process, number)
    after = reading.listing(folder)
    faults += [f"{name} was made or touched" for name in after if after[name] != before.get(name)]
    faults += ending.leftovers(folder)
    outcome.judge(f"{' '.join(command)} waiting for {holding.__name__}, {number.name}", faults)
    shutil.rmtree(folder)


def long_work(settings: Settings, outcome: Outcome) -> None:
    """Sends signals at several moments of long work."""
    template = birdlog.build(_new_folder(settings), birdlog.VARIANTS[0])
    connection = sqlite3.connect(template / CONTAINER / LOCAL)
    connection.executemany(
        "INSERT INTO Sighting VALUES (?, ?, ?, ?, ?, ?)",
        ((f"many-{n:06d}", f"species-{n % 12:02d}", "x" * (n % 90), bytes(n % 50), n, f"2026-02-01T00:00:{n % 60:02d}Z")
         for n in range(RECORDS)))
    connection.commit()
    connection.close()
    for command in (["run"], ["copy"], ["export", "-o", "{out}/large.json"], ["plan"], ["dedupe"]):
        duration = _duration(command, template, settings)
        moments = (0.5,) if settings.quick else (0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
        for share in moments:
            _interrupt(command, template, duration * share, settings, outcome)
    shutil.rmtree(template)


def _duration(command: list[str], template: Path, settings: Settings) -> float:
    folder = _copy(template, settings)
    started = time.monotonic()
    _start(_argv(command, folder, settings), folder).communicate()
    shutil.rmtree(folder)
    return time.monotonic() - started


def _interrupt(command: list[str], template: Path, delay: float, settings: Settings, outcome: Outcome) -> None:
    folder = _copy(template, settings)
    process = _start(_argv(command, folder, settings), folder)
    time.sleep(delay)
    if process.poll() is None:
        heard: list[str] = []
        faults = faults_of_signal(process, signal.SIGTERM, True, heard)
        if process.returncode == -signal.SIGTERM and not any(heard):
            # On a busy machine it had not begun yet: its caller sees 143 as well.
            faults = []
        faults += ending.leftovers(folder)
        # A run may still be stopped in the proof after the flag; then it must say that the flag is set.
        if process.returncode and reading.flag(folder / CONTAINER) and f"flag {FLAG} set" not in "".join(heard):
            faults.append("cancelled, and the flag is set without a word")
        again = _start(_argv(command, folder, settings), folder)
        _, errors = again.communicate(timeout=120)
        product = (folder / OUTPUT / "large.json").exists()
        if again.returncode not in ((0, ending.CANNOT_CREATE) if product and process.returncode == 0 else (0,)):
            faults.append(f"the run afterwards exits {again.returncode}: {errors.splitlines()[-2:]}")
        if command[0] in ("run", "copy") and _sightings(folder / CONTAINER / CLOUD) != RECORDS + 40:
            faults.append("not all records are in the cloud store afterwards")
        outcome.judge(f"{command[0]} of {RECORDS} records, SIGTERM after {delay * 1000:.0f} ms", faults)
    else:
        process.communicate()
    shutil.rmtree(folder)


def hang_up_ignored(settings: Settings, outcome: Outcome) -> None:
    """Under nohup a command must go on when its terminal is closed."""
    folder = birdlog.build(_new_folder(settings), birdlog.VARIANTS[0])
    with locked_container(folder):
        process = _start([str(settings.binary), "run", *common(folder), "--lock-timeout", "1m"], folder,
                         lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        _until_idle(process)
        process.send_signal(signal.SIGHUP)
        _until_idle(process)
        faults = [] if process.poll() is None else [f"SIGHUP that is ignored ends it with {process.returncode}"]
    _, errors = process.communicate(timeout=60)
    if process.returncode != 0:
        faults.append(f"it exits {process.returncode}: {errors.splitlines()[-2:]}")
    outcome.judge("run under nohup, SIGHUP", faults)
    shutil.rmtree(folder)


def faults_of_signal(process: subprocess.Popen, number: signal.Signals, may_be_done: bool = False,
                     heard: list[str] | None = None) -> list[str]:
    """Sends a signal, and judges how soon and how the command ends; `heard` gets its standard error."""
    code = ending.INTERRUPTED if number == signal.SIGINT else ending.TERMINATED
    sent = time.monotonic()
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["it does not end"]
    if heard is not None:
        heard.append(errors)
    seconds = time.monotonic() - sent
    faults = [f"it ends after {seconds:.1f} s"] if seconds > SECONDS else []
    faults += ending.faults_of_status(process.returncode, {code, 0} if may_be_done else {code})
    if process.returncode:
        faults += ending.faults_of_message(errors, Path("/"), None, names_file=False)
    return faults


def _until_idle(process: subprocess.Popen) -> None:
    """Until the process has used no more time for a while, or has ended; waits at most ten seconds."""
    last, since, end = -1, time.monotonic(), time.monotonic() + 10
    while process.poll() is None and time.monotonic() < end:
        try:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return
        used = int(fields[11]) + int(fields[12])
        # Without this file the ten seconds pass: slow, not wrong.
        if used != last or fields[0] not in "SD":
            last, since = used, time.monotonic()
        elif time.monotonic() - since > 0.4:
            return
        time.sleep(0.02)


def _start(argv: list[str], folder: Path, prepare: Callable[[], object] | None = None) -> subprocess.Popen:
    def restore() -> None:
        # A shell starts background work with SIGINT ignored, and the command would inherit that.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        if prepare:
            prepare()

    return start(argv, folder, preexec_fn=restore)


def _argv(command: list[str], folder: Path, settings: Settings) -> list[str]:
    options = [part.replace("{out}", str(folder / OUTPUT)) for part in command]
    return [str(settings.binary), *options, *common(folder)]


def _new_folder(settings: Settings) -> Path:
    return Path(tempfile.mkdtemp(prefix="signal-", dir=settings.base))


def _copy(template: Path, settings: Settings) -> Path:
    folder = _new_folder(settings)
    shutil.copytree(template, folder, dirs_exist_ok=True)
    return folder


def _sightings(store: Path) -> int:
    with reading.opened(store) as connection:
        return connection.execute("SELECT count(DISTINCT id) FROM Sighting").fetchone()[0]
