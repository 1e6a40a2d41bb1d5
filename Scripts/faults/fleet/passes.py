"""One pass over a fleet as its processes: the coordinator and its workers."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL, Signals
from subprocess import DEVNULL, TimeoutExpired

from ..scenario import start
from .scene import Scene

#: How long a pass may take before it counts as hanging.
PATIENCE = 120


class Pass:
    """A pass that is under way, in a group of processes of its own."""

    def __init__(self, binary: Path, scene: Scene, *options: str) -> None:
        self._process = start(scene.argv(binary, *options), scene.root, stdout=DEVNULL, start_new_session=True)

    def ends_within(self, seconds: float) -> bool:
        """Whether the coordinator has ended by then."""
        try:
            self._process.wait(seconds)
        except TimeoutExpired:
            return False
        return True

    def workers(self) -> list[int]:
        """The processes that the coordinator's threads have started and that have not ended."""
        found = []
        with suppress(OSError):
            for thread in Path(f"/proc/{self._process.pid}/task").iterdir():
                found += [int(number) for number in (thread / "children").read_text().split()]
        return sorted(found)

    def signal(self, number: Signals) -> None:
        """Sends a signal to the coordinator only."""
        self._process.send_signal(number)

    def signal_all(self, number: Signals) -> None:
        """Sends a signal to the whole group, as a terminal does."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    @staticmethod
    def signal_worker(worker: int, number: Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(worker, number)

    def end(self) -> tuple[int | None, str]:
        """Waits until all its processes have ended; no status if one of them has not.

        Each of them holds standard error, so it ends with the last of them.
        """
        try:
            _, stderr = self._process.communicate(timeout=PATIENCE)
        except TimeoutExpired:
            self.signal_all(SIGKILL)
            self._process.communicate()
            return None, ""
        return self._process.returncode, stderr
