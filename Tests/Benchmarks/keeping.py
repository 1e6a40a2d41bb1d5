"""Where results are kept; the newest replaces the one before."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import date

from . import trainlog

RESULTS = trainlog.ROOT / "Tests/Benchmarks/results"
STORES = trainlog.ROOT / ".build-bench"


def keep(name: str, title: str, command: str, told: str) -> None:
    """A page that says by which command, when and where it was measured."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# {title}\n\n`{command}` on {date.today()}; {machine()}.\n\n{told}\n")


def keep_figures(name: str, figures: dict[str, object]) -> None:
    RESULTS.mkdir(exist_ok=True)
    told = {"measured": str(date.today()), "machine": machine(), **figures}
    (RESULTS / f"{name}.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def machine() -> str:
    sqlite = subprocess.run(["sqlite3", "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, sqlite3 {sqlite}"


def of_rounds(rounds: int) -> str:
    return "one round" if rounds == 1 else f"medians of {rounds} rounds"

