"""Many containers at once: containers a second by jobs and by size, against as many single runs, and memory by number.

Each figure is of fresh copies: a container that was run is done. The memory is that of the process that shares the work
out, and of its largest worker.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from . import trainlog

SAMPLE = trainlog.ROOT / "SampleData/trainlog/container"
#: Containers and their records: the sample's, and stores of one thousandth and one hundredth of the large one.
SIZES = (("641 records", None, 1.0), ("1,100 records", 0.001, 0.5), ("11,000 records", 0.01, 0.1))
COMMANDS = (("run", ()), ("verify", ()), ("export", ("--into", "{out}")))


@dataclass(frozen=True)
class Figure:
    """Medians over the rounds."""

    work: str
    containers: int
    seconds: float
    coordinator: float
    worker: float

    @property
    def rate(self) -> float:
        return self.containers / self.seconds


def copies(source: Path, count: int, folder: Path) -> Path:
    """A fleet of copies of one container."""
    shutil.rmtree(folder, ignore_errors=True)
    for number in range(count):
        shutil.copytree(source, folder / f"{number // 1000:03}" / f"{number:06}")
    return folder


def watched(argv: list[str]) -> tuple[float, float, float]:
    """Seconds, and the peaks in MiB of the process and of its largest child; every exit but 0 ends the benchmark."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peaks = {"own": 0.0, "children": 0.0}
    over = threading.Event()
    watch = threading.Thread(target=lambda: follow(process.pid, peaks, over))
    watch.start()
    _, errors = process.communicate()
    over.set()
    watch.join()
    if process.returncode != 0:
        raise SystemExit(f"bench: exit {process.returncode}: {' '.join(argv)}\n{errors.decode()[-2000:]}")
    return time.perf_counter() - start, peaks["own"], peaks["children"]


def follow(process: int, peaks: dict[str, float], over: threading.Event) -> None:
    """Reads the peaks that the system keeps until the process is gone."""
    while not over.is_set():
        peaks["own"] = max(peaks["own"], peak(process))
        for task in tasks(process):
            peaks["children"] = max(peaks["children"], peak(task))
        over.wait(0.05)


def tasks(process: int) -> list[int]:
    """The children of all threads of a process."""
    found: list[int] = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, children.read_text().split())
        except OSError:
            pass
    return found


def peak(process: int) -> float:
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def measure(binary: Path, source: Path, count: int, folder: Path, rounds: int) -> list[Figure]:
    """All commands over one fleet, each with one job and with two, compared with as many calls for one container each."""
    manifest = ["-m", str(trainlog.MANIFEST), "-q"]
    found: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(rounds):
        for jobs in (1, 2):
            fleet = copies(source, count, folder / "fleet")
            shutil.rmtree(folder / "out", ignore_errors=True)
            (folder / "out").mkdir()
            for command, options in COMMANDS:
                more = [option.format(out=folder / "out") for option in options]
                argv = [str(binary), command, "--all", str(fleet), "--jobs", str(jobs), *manifest, *more]
                found.setdefault(f"{command} --all --jobs {jobs}", []).append(watched(argv))
        fleet = copies(source, count, folder / "fleet")
        start = time.perf_counter()
        largest = 0.0
        for one in sorted(fleet.glob("*/*")):
            process = subprocess.Popen([str(binary), "run", "-c", str(one), *manifest])
            _, status, usage = os.wait4(process.pid, 0)
            largest = max(largest, usage.ru_maxrss / 1024)
            if status != 0:
                raise SystemExit(f"bench: {one}: {status}")
        found.setdefault("single runs, one after another", []).append((time.perf_counter() - start, largest, 0.0))
        # Done by now: what is left is to see that.
        found.setdefault("run --all, all done, --jobs 1", []).append(
            watched([str(binary), "run", "--all", str(fleet), "--jobs", "1", *manifest]))
    return [Figure(work, count, *(median(values) for values in zip(*taken))) for work, taken in found.items()]


def memory(binary: Path, counts: tuple[int, ...], folder: Path) -> list[Figure]:
    """The peaks by number of containers, with a journal, of running them and of verifying what became of them."""
    figures = []
    for count in counts:
        fleet = copies(SAMPLE, count, folder / "fleet")
        for command, _ in COMMANDS[:2]:
            journal = folder / f"{command}.jsonl"
            journal.unlink(missing_ok=True)
            taken = watched([str(binary), command, "--all", str(fleet), "-m", str(trainlog.MANIFEST), "-q", "--journal",
                             str(journal)])
            figures.append(Figure(f"{command} --all of {count:,}", count, *taken))
    shutil.rmtree(folder / "fleet", ignore_errors=True)
    return figures


def report(binary: Path, folder: Path, is_quick: bool, rounds: int) -> str:
    """Tables in Markdown."""
    lines = []
    for title, scale, share in SIZES:
        source = SAMPLE if scale is None else trainlog.container(folder, scale)
        count = max(10, round((100 if is_quick else 1000) * share))
        figures = measure(binary, source, count, folder, rounds)
        single = next(figure.seconds for figure in figures if figure.work.startswith("single"))
        lines += [f"\n{count:,} containers of {title}:\n",
                  "| work | s | containers/s | ms each | of a single run | MiB | MiB of a worker |",
                  "|---|---:|---:|---:|---:|---:|---:|"]
        lines += [f"| {one.work} | {one.seconds:.2f} | {one.rate:.1f} | {1000 * one.seconds / one.containers:.1f} |"
                  f" {one.seconds / single:.2f} | {one.coordinator:.0f} | {one.worker:.0f} |" for one in figures]
    lines += ["\nMemory by number of containers, a job for each processor:\n",
              "| work | s | containers/s | MiB | MiB of a worker |",
              "|---|---:|---:|---:|---:|"]
    counts = (100, 1000) if is_quick else (100, 1000, 10_000)
    lines += [f"| {one.work} | {one.seconds:.2f} | {one.rate:.1f} | {one.coordinator:.0f} | {one.worker:.0f} |"
              for one in memory(binary, counts, folder)]
    return "\n".join(lines)
