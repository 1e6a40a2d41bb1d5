"""One call of `godwit`, under limits, and what it ended with."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: 512 MiB of address space and 10 seconds of CPU, set by a shell that then becomes the command: forking with a Python
#: callback in a process of many threads may deadlock.
LIMITS = "ulimit -v 524288; ulimit -t 10\n"

#: Seconds after which a call counts as hanging.
PATIENCE = 60

Word = str | bytes | Path


@dataclass(frozen=True)
class Call:
    """A finished call. `code` is negative where a signal ended it, and None where it had to be stopped."""

    words: tuple[Word, ...]
    code: int | None
    output: bytes
    errors: bytes
    seconds: float

    @property
    def lines(self) -> list[str]:
        """The lines of standard error."""
        return self.errors.decode(errors="replace").splitlines()

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        if self.code is None:
            return f"hung for {self.seconds:.0f} s"
        return f"died of {signal.Signals(-self.code).name}" if self.code < 0 else f"exit {self.code}"


def environment(temporary: Path, extra: dict[str, str] | None = None) -> dict[str, str]:
    """A plain environment: no variable that Godwit reads, except those given."""
    plain = {
        name: value for name, value in os.environ.items()
        if not name.startswith("GODWIT_") and name not in {"SOURCE_DATE_EPOCH", "NO_COLOR", "TMPDIR", "TERM"}
    }
    return plain | {"TMPDIR": str(temporary)} | (extra or {})


def call(
    binary: Path, words: Sequence[Word], *, folder: Word, variables: dict,
    patience: float = PATIENCE, setup: str = "", stdout: int | None = subprocess.PIPE,
    stderr: int | None = subprocess.PIPE, name: Word | None = None,
) -> Call:
    """Runs the command to its end, without any input.

    `setup` is shell text that runs before the command takes the shell's place: limits, redirections, a working
    directory. `name` is the name that the command gets.
    """
    start = time.monotonic()
    head: list[Word] = ["/bin/sh", "-c", f'{LIMITS}{setup}\nexec "$@"', "sh"]
    if name is not None:
        head = ["/bin/bash", "-c", f'{LIMITS}{setup}\nexec -a "$0" "$@"', name]
    process = subprocess.Popen(
        [*head, str(binary), *words], cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
    try:
        output, errors = process.communicate(timeout=patience)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        code = None
    return Call(tuple(words), code, output or b"", errors or b"", time.monotonic() - start)
