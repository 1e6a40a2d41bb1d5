"""Where results are kept; the newest replaces the one before."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import date
from pathlib import Path

from . import trainlog

RESULTS = trainlog.ROOT / "Tests/Benchmarks/results"
STORES = trainlog.ROOT / ".build-bench"


def keep(name: str, title: str, command: str, text: str) -> None:
    """A page that says by which command, when and where it was measured."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# {title}\n\n`{command}` on {date.today()}; {machine()}.\n\n{text}\n")


def keep_figures(name: str, figures: dict[str, object]) -> None:
    RESULTS.mkdir(exist_ok=True)
    document = {"measured": str(date.today()), "machine": machine(), **figures}
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def commit() -> str:
    """What is checked out, and whether files of it were changed since."""
    def said(*words: str) -> str:
        return subprocess.run(["git", "-C", str(trainlog.ROOT), *words], capture_output=True, text=True, check=False).stdout.strip()

    name = said("rev-parse", "--short=10", "HEAD") or "unknown"
    return f"{name}, changed since" if said("status", "--porcelain", "--untracked-files=no") else name


def machine() -> str:
    sqlite = subprocess.run(["sqlite3", "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    cores = f"{os.cpu_count()} cores of {found}" if (found := processor(of_the_processors())) else f"{os.cpu_count()} cores"
    return f"{cores}, {platform.system()} {platform.machine()}, sqlite3 {sqlite}"


def of_the_processors() -> str:
    """What the system says of them; nothing off Linux."""
    path = Path("/proc/cpuinfo")
    return path.read_text() if path.exists() else ""


def processor(said: str) -> str:
    """The first one's name, by proc_cpuinfo(5), and its model: ratios are another processor's others, and names may hide it."""
    lines = (line.partition(":") for line in said.split("\n\n")[0].splitlines())
    values = {name.strip(): rest.strip() for name, _, rest in lines}
    number = f"family {values['cpu family']}, model {values['model']}" if {"cpu family", "model"} <= values.keys() else ""
    return ", ".join(word for word in (values.get("model name", ""), number) if word)


def of_rounds(rounds: int) -> str:
    return "one round" if rounds == 1 else f"medians of {rounds} rounds"

