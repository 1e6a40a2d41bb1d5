"""Audit: every command is recorded, and each of its system calls held against what it may do.

The quick audit records each command over the samples; the full one also runs the tests of the command line with every
`godwit` they start under strace, by the variable GODWIT_TEST_WRAPPER.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .auditing.recording import TRACED, Recording
from .auditing.rules import Audit, Bounds
from .auditing.suite import audit_suite
from .calling import environment
from .hostile.apps import REPOSITORY, SWIFTDATA, TRAINLOG, App
from .hostile.scene import BARE, NOW
from .outcome import Outcome
from .settings import Settings
from .tracing import require_strace

SAMPLES = ("container", "scenarios/two-devices/container", "scenarios/interrupted/container",
           "scenarios/empty/container")

#: The files next to a container by which `inspect` and `init` identify its app.
IDENTITY = ("AppDataInfo.plist", "Container.plist", ".com.apple.containermanagerd.metadata.plist")


@dataclass(frozen=True)
class Step:
    """A command of the audit; `writes` says whether it may write to the container."""

    words: tuple[str, ...]
    writes: bool = False
    replaces: tuple[str, ...] = ()


#: The same for a container whose local store is Core Data's, and for what needs no manifest.
CORE_DATA_STEPS = (
    Step(("inspect",)), Step(("inspect", "--json", "-o", "OUT/inspection.json")), Step(("init", "-n")),
    Step(("init", "-o", "OUT/draft")), Step(("init", "-o", "OUT/draft")), Step(("plan",)),
    Step(("plan", "--json", "-o", "OUT/plan.json")), Step(("status",)), Step(("verify",)),
    Step(("export", "-o", "OUT/first.json")), Step(("migrate",), True), Step(("dedupe",), True), Step(("run",), True),
    Step(("run",), True), Step(("verify",)), Step(("history",)), Step(("inspect",)),
    Step(("export", "-o", "OUT/second.json")),
)
#: In this order, in one container: what a command finds done is part of what is audited.
STEPS = (
    Step(("plan",)), Step(("plan", "--json", "-o", "OUT/plan.json")), Step(("status",)), Step(("history",)),
    Step(("verify",)), Step(("export", "-o", "OUT/first.json")), Step(("export", "-o", "-")),
    Step(("export", "-n", "-o", "OUT/never.json")), Step(("migrate", "-n")), Step(("dedupe", "-n")),
    Step(("copy", "-n")), Step(("run", "-n", "--allow-empty")), Step(("migrate",), True), Step(("dedupe",), True),
    Step(("copy",), True), Step(("run",), True), Step(("run",), True), Step(("run", "--allow-empty"), True),
    Step(("verify",)), Step(("plan",)), Step(("export", "--replace", "-o", "OUT/first.json"), replaces=("first.json",)),
    Step(("export", "--gzip", "--lines", "-o", "OUT/lines.gz")),
    Step(("export", "--since", "OUT/first.json", "-o", "OUT/changed.json")),
    Step(("export", "--if-changed", "--max-shrink", "50%", "--min-records", "1", "-o", "OUT/same.json")),
    Step(("export", "--entity", "Workout", "-o", "OUT/workouts.json")),
    Step(("import", "OUT/first.json", "OUT/changed.json", "-o", "OUT/both.store")),
    Step(("import", "OUT/lines.gz", "-o", "OUT/new.store")), Step(("import", "-n", "OUT/first.json")),
    Step(("status", "--lang", "ja", "--json")), Step(("history", "-o", "OUT/history.txt")), Step(("copy",), True),
    Step(("dedupe", "-n", "--undo", "NOT-A-RUN")), Step(("dedupe", "--undo", "NOT-A-RUN"), True),
    Step(("status", "--nonsense")), Step(("--help",)), Step(("--version",)), Step(("run", "--help")),
)


def run(settings: Settings) -> Outcome:
    """Audits the commands over the samples, and the tests of the command line."""
    require_strace()
    outcome = Outcome("audit", noun="commands")
    places: set[str] = set()
    jobs = [(sample, wal) for sample in SAMPLES for wal in (False, True)]
    if settings.quick:
        jobs = [("container", False), ("scenarios/two-devices/container", True)]
    walks = [(TRAINLOG, STEPS, *job) for job in jobs]
    walks += [(SWIFTDATA, CORE_DATA_STEPS, "container-swiftdata", wal) for wal in (True, False)[:len(jobs) // 2]]
    with ThreadPoolExecutor(max_workers=settings.jobs) as pool:
        for audits in pool.map(lambda walk: _walk(settings, *walk), walks):
            for name, audit in audits:
                outcome.judge(name, audit.findings)
                places |= audit.system
    if not settings.quick:
        note = audit_suite(settings, outcome, places)
        outcome.notes.append(note)
    outcome.notes.append(f"of the system they open {', '.join(sorted(places))}")
    return outcome


def _walk(settings: Settings, app: App, steps: tuple[Step, ...], sample: str, wal: bool) -> list[tuple[str, Audit]]:
    """All steps in a copy of a sample; its stores in WAL mode where asked for."""
    root = Path(tempfile.mkdtemp(prefix="audit-", dir=settings.base)).resolve()
    home, temporary, out = root / "home", root / "tmp", root / "out"
    for folder in (home, temporary, out):
        folder.mkdir()
    app.build(home)
    if sample not in ("container", "container-swiftdata"):
        shutil.rmtree(home / "container")
        shutil.copytree(REPOSITORY / "SampleData/trainlog" / sample, home / "container")
    if wal:
        _make_wal(home / "container")
    return [
        (f"{sample}{' (wal)' if wal else ''}: godwit {' '.join(step.words)}", _audited(settings, app, root, step))
        for step in steps
    ]


def _make_wal(container: Path) -> None:
    import sqlite3

    for store in container.rglob("*.store"):
        connection = sqlite3.connect(store)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.close()


def _audited(settings: Settings, app: App, root: Path, step: Step) -> Audit:
    words = [word.replace("OUT", str(root / "out")) for word in step.words]
    container = root / "home/container"
    is_bare = words[0] in BARE
    common = [str(container), "--now", NOW] if is_bare else ["-m", str(root / "home/godwit.yaml"), "-c", str(container), "--now", NOW]
    line = words if words[-1].startswith("--help") or words == ["--version"] else [*words, *common]
    log = root / "strace.log"
    subprocess.run(
        ["strace", "-f", "-qq", "-y", "-s", "0", "-e", TRACED, "-e", "signal=none", "-o", str(log), "--",
         str(settings.binary), *line],
        cwd=root / "home", env=environment(root / "tmp"), stdin=subprocess.DEVNULL, capture_output=True, check=False)
    recording = Recording.read(log.read_text(errors="surrogateescape"), str(root / "home"))
    log.unlink()
    outputs = [word for before, word in zip(words, words[1:]) if before == "-o" and word != "-"]
    if words[0] == "init":
        outputs += [f"{folder}/{name}" for folder in outputs
                    for name in ("Migrations", "godwit.yaml", "Migrations/V0001__create_store.sql")]
    # Files next to a container have the app's name.
    named = [str(container)] + [str(root / "home" / name) for name in IDENTITY] * is_bare
    if not is_bare:
        named += [str(root / "home/godwit.yaml"), str(root / "home/Migrations")]
    if any(word.startswith(str(root / "out")) for word in words):
        named.append(str(root / "out"))
    bounds = Bounds(
        named=named,
        temporary=str(root / "tmp"), writes=step.writes, outputs=outputs,
        # A store of Core Data's is never written.
        writable=[str(container / app.cloud)] + [str(container / app.local)] * (app is TRAINLOG),
        lockable=[str(container / app.local)] * step.writes,
        replaceable=[str(container / app.plist)] * step.writes
        + [str(root / "out" / name) for name in step.replaces])
    audit = Audit(recording, bounds, str(settings.binary))
    if not recording.calls:
        audit.findings.append("nothing was recorded")
    return audit
