"""Keeps the service running: starts it, kills it, reads what the system says of its memory."""

from __future__ import annotations

import re
import signal
import statistics
import subprocess
import time
from pathlib import Path

from .. import birdlog
from ..scenario import environment
from .plan import Plan

#: What an export looks like changes from life to life.
FORMS = ([], ["--gzip"], ["--lines"])
#: How much more memory a life of many minutes may take at its end than at its beginning.
GROWTH = 4 << 20
#: A life that is long enough to tell from.
LONG = 300.0
#: The bound of DESIGN for any command.
MOST = 64 << 20
OUTCOMES = re.compile(r"^\S+Z (exported|unchanged|failed) ")


class Keeper:
    """One service at a time; its lines go to one file."""

    def __init__(self, binary: Path, folder: Path, exports: Path, plan: Plan) -> None:
        self.binary, self.folder, self.exports, self.plan = binary, folder, exports, plan
        self.log, self.errors = folder / "service.log", folder / "service.errors"
        self.process: subprocess.Popen | None = None
        self.lives = 0
        #: Of each life: seconds since its start, bytes in memory, open files.
        self.samples: list[list[tuple[float, int, int]]] = []
        self.highest = 0
        self.started = 0.0

    def start(self) -> None:
        form = FORMS[self.lives % len(FORMS)]
        self.lives += 1
        self.samples.append([])
        self.started = time.monotonic()
        command = [
            str(self.binary), "export", "-m", str(self.folder / birdlog.APP / "godwit.yaml"),
            "-c", str(self.folder / birdlog.CONTAINER), "--into", str(self.exports), "--every", f"{self.plan.every}s",
            "--debounce", "500ms", *form,
        ]
        with self.log.open("a") as log, self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                command, env=environment(self.folder), stdin=subprocess.DEVNULL, stdout=log, stderr=errors)

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self, patience: float) -> int:
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(patience)

    def sample(self) -> None:
        """Looks at most once a second."""
        age = time.monotonic() - self.started
        life = self.samples[-1]
        if life and age - life[-1][0] < 1:
            return
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            files = len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))
        except OSError:
            return
        sizes = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.MULTILINE))
        if "VmRSS" in sizes:
            life.append((age, int(sizes["VmRSS"]) << 10, files))
            self.highest = max(self.highest, int(sizes["VmHWM"]) << 10)

    @property
    def _longest(self) -> list[tuple[float, int, int]]:
        return max(self.samples, key=lambda life: life[-1][0] if life else 0)

    def _quarters(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Medians of memory and of open files in the first and the last quarter of the longest life."""
        life = self._longest
        part = max(1, len(life) // 4)
        first, last = life[:part], life[-part:]
        return tuple((statistics.median(s[1] for s in some), statistics.median(s[2] for s in some))
                     for some in (first, last))

    def faults_of_memory(self) -> list[str]:
        if not self._longest:
            return ["its memory was never seen"]
        (memory, files), (memory_later, files_later) = self._quarters()
        faults = []
        if self.highest > MOST:
            faults.append(f"it took {self.highest >> 20} MiB")
        if self._longest[-1][0] > LONG:
            if memory_later > memory + GROWTH:
                faults.append(f"memory grew from {memory / 2**20:.1f} to {memory_later / 2**20:.1f} MiB")
            if files_later > files + 2:
                faults.append(f"open files grew from {files} to {files_later}")
        return faults

    def faults_of_log(self) -> list[str]:
        """Every line must be whole and report an export, and none may have failed."""
        lines = self.log.read_text().splitlines()
        faults = [f"a line that is none: {line[:80]}" for line in lines if not OUTCOMES.match(line)]
        faults += [f"a failure: {line[:300]}" for line in lines if " failed " in line]
        faults += [f"a warning: {line[:300]}" for line in self.errors.read_text().splitlines() if "warning:" in line]
        return faults if lines else ["there is no line"]

    def figures(self) -> list[str]:
        outcomes = [match[1] for line in self.log.read_text().splitlines() if (match := OUTCOMES.match(line))]
        counts = ", ".join(f"{outcomes.count(kind)} {kind}" for kind in ("exported", "unchanged", "failed"))
        (memory, files), (memory_later, files_later) = self._quarters()
        return [
            f"lines: {counts}",
            f"at most {self.highest / 2**20:.1f} MiB; in its longest life of {self._longest[-1][0]:.0f} s from "
            f"{memory / 2**20:.1f} to {memory_later / 2**20:.1f} MiB and from {files:.0f} to {files_later:.0f} open files",
        ]
