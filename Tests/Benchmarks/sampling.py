"""Time by function, by `perf`: a thousand times in each second of work it looks where that is, kernel included."""

from __future__ import annotations

import shlex
import subprocess
from collections import Counter
from pathlib import Path

from .measuring import run
from .symbols import Place


def sampled(command: str, scratch: Path) -> Counter[Place]:
    """Nanoseconds of the processors in each function itself."""
    data = scratch / "perf.data"
    data.unlink(missing_ok=True)
    run(f"perf record -q -e cpu-clock -F 997 -o {shlex.quote(str(data))} -- {command}")
    said = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "-q", "-F", "period,dso,sym", "-t", "|"],
                          capture_output=True, text=True, check=True).stdout
    return parsed(said)


def parsed(said: str) -> Counter[Place]:
    """Lines such as `125376125  |libsqlite3.so.0.8.6 |[.] sqlite3VdbeExec`."""
    costs: Counter[Place] = Counter()
    for line in said.splitlines():
        cells = [cell.strip() for cell in line.split("|", 2)]
        if len(cells) == 3 and cells[0].isdigit():
            costs[Place.named(cells[1], cells[2].split("] ", 1)[-1])] += int(cells[0])
    return costs
