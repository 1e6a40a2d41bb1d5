"""How long `inspect`, `init`, `plan`, `run` and `export` take over a Core Data store, and their memory at the most.

    PYTHONPATH=Tests:Scripts python3 -m Benchmarks.coredata --binary .build/release/godwit [--rows 24000] [--rounds 3]

The store is invented: 60 entities of nine attributes, each related to the one before, with equally many records. What is
measured is what a user does with it, with the manifest that `init` writes. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from multiprocessing import Process
from pathlib import Path
from statistics import median
from uuid import UUID

from sampledata.coredata import CoreDataStore
from sampledata.coredata_entities import Attribute, Entity, Kind, Relation

ENTITIES = 60
STORE = "Library/Application Support/Model.sqlite"


def entities() -> list[Entity]:
    """Entities whose relation leads to the one before."""
    found = []
    for number in range(1, ENTITIES + 1):
        attributes = (
            Attribute("identifier", Kind.UUID, "id"), Attribute("title", Kind.STRING, "title"),
            Attribute("notes", Kind.STRING, "notes", True), Attribute("createdAt", Kind.DATE, "createdAt"),
            Attribute("updatedAt", Kind.DATE, "updatedAt"), Attribute("amount", Kind.DOUBLE, "amount", True),
            Attribute("position", Kind.INTEGER, "position"), Attribute("isDone", Kind.BOOLEAN, "isDone"),
            Attribute("code", Kind.STRING, "code"))
        relations = (Relation("parent", f"Thing{number - 1:02d}", "children", "parent"),) if number > 1 else ()
        found.append(Entity(f"Thing{number:02d}", number, "id", attributes, relations))
    return found


def rows_of(number: int, count: int) -> list[dict]:
    """The records of one entity."""
    return [
        {"id": key(number, place), "title": f"Thing {place} of {number}",
         "notes": None if place % 4 else f"What is said of {place}. " * 6,
         "createdAt": f"2026-{1 + place % 9:02d}-{1 + place % 28:02d}T{place % 24:02d}:15:00.250Z",
         "updatedAt": f"2026-10-{1 + place % 28:02d}T{place % 24:02d}:{place % 60:02d}:00.000Z",
         "amount": place * 0.25 if place % 3 else None, "position": place, "isDone": place % 2,
         "code": f"T{number:02d}-{place:06d}", "parent": key(number - 1, place // 2) if number > 1 else None}
        for place in range(count)
    ]


def key(number: int, place: int) -> str:
    return str(UUID(int=number << 96 | 4 << 76 | 8 << 60 | place))


def make(container: Path, count: int) -> None:
    """A container with nothing but the store."""
    store = container / STORE
    store.parent.mkdir(parents=True)
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    made = entities()
    CoreDataStore(connection, "model", made).create(
        {entity.name: rows_of(entity.number, count // ENTITIES) for entity in made})
    connection.close()


def run(words: list[str]) -> tuple[float, float, float]:
    """Seconds, seconds of the processors, and mebibytes."""
    start = time.perf_counter()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{words[1]} exits {os.waitstatus_to_exitcode(status)}\n{errors.decode()}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(binary: Path, scratch: Path, rounds: int) -> dict[str, list[tuple[float, float, float]]]:
    """Each command in turn, on a fresh copy of the container for each round."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for number in range(rounds):
        place = scratch / f"round-{number}"
        shutil.copytree(scratch / "container", place / "container")
        common = ["-m", str(place / "draft/godwit.yaml"), "-c", str(place / "container")]
        for name, words in (
            ("inspect", ["inspect", str(place / "container")]),
            ("init", ["init", str(place / "container"), "-o", str(place / "draft")]),
            ("plan", ["plan", *common]), ("run", ["run", *common]),
            ("export", ["export", *common, "-o", str(place / "export.json")]),
        ):
            found.setdefault(name, []).append(run([str(binary), *words]))
        shutil.rmtree(place)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to measure")
    parser.add_argument("--rows", type=int, default=24_000, help="records of all entities together; default: 24,000")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        # In a process of its own: what a parent had at the most counts as its children's, too.
        maker = Process(target=make, args=(Path(folder) / "container", options.rows))
        maker.start()
        maker.join()
        size = (Path(folder) / "container" / STORE).stat().st_size
        print(f"{options.rows // ENTITIES * ENTITIES:,} records of {ENTITIES} entities in {size:,} bytes; medians of"
              f" {options.rounds} rounds\n")
        print("| command | seconds | of the processors | peak MiB |\n| --- | --- | --- | --- |")
        for name, figures in measure(options.binary.resolve(), Path(folder), options.rounds).items():
            seconds, processors, memory = (median(one[place] for one in figures) for place in range(3))
            print(f"| `{name}` | {seconds:.2f} | {processors:.2f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
