"""Nothing here waits for ever: commands with a limit, and waiting with an end."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

#: Seconds that a command of Slurm's may take.
PATIENCE = 30


class Broken(Exception):
    """Something does not work that has to, for anything to be shown; its message says what."""


def said(words: Sequence[str | Path], environment: Mapping[str, str], *, folder: Path | None = None,
         patience: float = PATIENCE, codes: Sequence[int] = (0,)) -> str:
    """What a command writes to standard output; it has to end in time, with one of these codes."""
    try:
        done = subprocess.run(
            [str(word) for word in words], env=dict(environment), cwd=folder, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        raise Broken(f"{words[0]} did not end within {patience:.0f} s") from None
    if done.returncode not in codes:
        raise Broken(f"{' '.join(map(str, words[:4]))}: exit {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def until(holds: Callable[[], bool], seconds: float, what: str, pause: float = 0.2) -> None:
    """Waits for something, and ends with an error that says what did not come."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Broken(f"{what}: not within {seconds:.0f} s")
        time.sleep(pause)
