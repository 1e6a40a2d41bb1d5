"""One pass over a fleet as its processes: the coordinator, its workers, and whoever is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from ..scenario import environment
from .scene import Scene

#: How long a pass may take before it counts as hanging.
PATIENCE = 120


class Pass:
    """A pass that is under way, in a group of processes of its own."""

    def __init__(self, binary: Path, scene: Scene, *options: str) -> None:
        self._process = subprocess.Popen(
            scene.argv(binary, *options), cwd=scene.root, env=environment(scene.root), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)

    def ends_within(self, seconds: float) -> bool:
        """Whether the coordinator has ended by then."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def workers(self) -> list[int]:
        """The processes that the coordinator's threads have started and that have not ended."""
        found = []
        with suppress(OSError):
            for thread in Path(f"/proc/{self._process.pid}/task").iterdir():
                found += [int(number) for number in (thread / "children").read_text().split()]
        return sorted(found)

    def tell(self, number: signal.Signals) -> None:
        """A signal to the coordinator alone."""
        self._process.send_signal(number)

    def tell_all(self, number: signal.Signals) -> None:
        """A signal to the whole group, as a terminal sends it."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    @staticmethod
    def tell_worker(worker: int, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(worker, number)

    def end(self) -> tuple[int | None, str]:
        """Waits until all its processes have ended; no status where one of them has not.

        Each of them holds standard error, so that its end is that of the last of them.
        """
        try:
            _, stderr = self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.tell_all(signal.SIGKILL)
            self._process.communicate()
            return None, ""
        return self._process.returncode, stderr
