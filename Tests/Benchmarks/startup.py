"""How long it takes until Godwit does anything, the size of what is started, and what it loads."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from . import starting, trainlog
from .setting import line
from .tables import table, verdict

SAMPLE = trainlog.ROOT / "SampleData/trainlog/container"
#: Milliseconds.
VERSION, DONE = 15, 30


def report(binaries: dict[str, Path], scratch: Path, runs: int) -> str:
    """Tables for each of the executables, such as one that is linked statically."""
    done = scratch / "done"
    shutil.copytree(SAMPLE, done)
    aims = {}
    for name, binary in binaries.items():
        run = line([binary, "run", "-m", trainlog.MANIFEST, "-c", done, "-q"])
        subprocess.run(["bash", "-c", run], check=True)
        aims[f"godwit --version, {name}"] = (line([binary, "--version"]), VERSION)
        aims[f"godwit run of a sample that is done, {name}"] = (run, DONE)
    aims["sqlite3, the sample's schema"] = (
        line(["sqlite3", "-readonly", done / trainlog.STORE, "SELECT count(*) FROM sqlite_schema"]), 0)
    aims["sqlite3 --version"] = ("sqlite3 --version", 0)
    aims["/bin/true"] = ("/bin/true", 0)
    taken = timed([command for command, _ in aims.values()], scratch / "hyperfine.json", runs)
    times = table(("work", "ms", "±", "least", "aim", "reached"), [
        [title, f"{1000 * one['median']:.1f}", f"{1000 * one['stddev']:.1f}", f"{1000 * one['min']:.1f}",
         f"{aim} ms" if aim else "", verdict(1000 * one["median"] <= aim if aim else None)]
        for (title, (_, aim)), one in zip(aims.items(), taken)])
    sizes = table(("executable", "bytes", "without what only a debugger reads", "libraries loaded", "ICU"), [
        [name, f"{binary.stat().st_size:,}", f"{stripped(binary, scratch):,}", str(len(loaded)),
         "loaded" if any("ICU" in library or "icu" in library for library in loaded)
         else "inside" if b"icudt" in binary.read_bytes() else "no"]
        for name, binary in binaries.items() for loaded in [libraries(binary)]])
    names = "\n".join(f"* {name}: {', '.join(f'`{library}`' for library in libraries(binary))}"
                      for name, binary in binaries.items())
    work = line([binaries["as built"], "run", "-m", trainlog.MANIFEST, "-c", done, "-q"])
    return "\n\n".join([
        f"Medians of {runs} runs by hyperfine, without a shell; ± is the standard deviation.", times, sizes,
        f"What `ldd` says is loaded:\n\n{names}", before_main(binaries), reading(work, done, scratch)])


def before_main(binaries: dict[str, Path]) -> str:
    """What the loader does, which is nearly all: Swift initialises nothing before it is asked for."""
    rows = []
    for name, binary in binaries.items():
        if said := starting.loader(line([binary, "--version"])):
            share = {part: f"{100 * said.get(part, 0) / said['cycles']:.0f} %" for part in ("relocating", "loading")}
            rows.append([name, f"{said['cycles'] / 1e6:.1f}", share["loading"], share["relocating"],
                         f"{said.get('by name', 0):,}", f"{said.get('relative', 0):,}"])
    return "Before `main`, by the loader's own account (`LD_DEBUG=statistics`), without the initialisers of libraries:" \
           "\n\n" + table(
               ("executable", "million cycles", "loading", "relocating", "by name", "relative"), rows)


def reading(command: str, container: Path, scratch: Path) -> str:
    """What a run with nothing to do asks the system for, as strace sees it."""
    asked = starting.asked(command, scratch)
    if asked is None:
        return "What a run with nothing to do reads: SKIPPED, there is no strace, or it may not look."
    roots = {f"{container}/": "", f"{trainlog.MANIFEST.parent}/": ""}
    rows, others = [], 0
    for path in sorted({*asked.opened, *asked.read}):
        root = next((root for root in roots if path.startswith(root)), None)
        if root is None or not Path(path).is_file():
            others += path not in asked.mapped
            continue
        rows.append([f"`{path.removeprefix(root)}`", str(asked.opened[path]), f"{asked.read[path]:,}",
                     f"{Path(path).stat().st_size:,}"])
    return (f"A run of the sample that is done makes {asked.calls:,} system calls, the loader's included. It maps"
            f" {len(asked.mapped)} files into memory, opens {others} folders and files of the system's, and of the app's"
            " reads these:\n\n" + table(("file", "opened", "bytes read", "size"), rows))


def timed(commands: list[str], into: Path, runs: int) -> list[dict[str, float]]:
    """Seconds: `median`, `stddev`, `min`."""
    done = subprocess.run(["hyperfine", "--shell=none", "--warmup", "5", "--runs", str(runs), "--style", "none",
                           "--export-json", str(into), *commands], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: hyperfine fails with {done.returncode}\n{done.stderr}")
    return json.loads(into.read_text())["results"]


def stripped(binary: Path, scratch: Path) -> int:
    """Bytes without symbols and debugging information."""
    made = scratch / "stripped"
    subprocess.run(["strip", "-s", "-o", str(made), str(binary)], check=True)
    return made.stat().st_size


def libraries(binary: Path) -> list[str]:
    """Names, as the loader finds them; none of an executable that is static through and through."""
    said = subprocess.run(["ldd", str(binary)], capture_output=True, text=True, check=False).stdout
    return parsed(said)


def parsed(said: str) -> list[str]:
    """The files that `ldd` names; what the kernel puts there itself is no file."""
    words = [line.split()[0] for line in said.splitlines() if line.startswith("\t")]
    return sorted(Path(word).name for word in words if not word.startswith("linux-vdso") and "statically" not in word)
