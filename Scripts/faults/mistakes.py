"""Mistakes of a person: a name misspelt, a line left out, a file misplaced. A strict run refuses, or ends where it should.

A mistake is silent if `run --strict` ends with 0 and something that the undisturbed run brings to the active store is
missing there. Not tried are what decides nothing about where data is: see `FREE`.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator

from . import reading
from .hostile.apps import REPOSITORY, build_sample
from .outcome import Outcome
from .scenario import execute
from .settings import Settings

NOW = "2026-11-21T06:00:00Z"
#: Sections and members whose words decide nothing about where data is, or are another rule of the same kind. Without a value
#: map a value is there as the preferences have it.
FREE = re.compile(
    r"^\s*(app:|copy:|cloud:|history:|export:|freshness:|schemaVersion:|conflict:|modified:|default:|values:|#)")
FREE_INLINE = re.compile(
    r"modified:\s*(\{[^}]*\}|[^,}\s]+)|conflict:\s*[^,}\s]+|singleton:\s*[^,}\s]+|default:\s*[^,}\s]+|values:\s*\{[^}]*\}"
    r"|flag:\s*[^,}\s]+|#.*$")
WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*")


@dataclass(frozen=True)
class Mistake:
    """What was done, and how: the change is made in a copy of the app's folder."""

    what: str
    make: Callable[[Path], None]


def run(settings: Settings) -> Outcome:
    outcome = Outcome("mistakes", "mistakes")
    for app in sorted(path.parent.name for path in (REPOSITORY / "SampleData").glob("*/godwit.yaml")):
        if settings.only and settings.only not in app:
            continue
        origin = settings.base / app
        build_sample(app, origin, "schema")
        expected = origin.with_name(f"{app}-expected")
        shutil.copytree(origin, expected)
        status, text = godwit(settings, expected)
        if status != 0:
            outcome.failed(f"{app} without a mistake ends with {status}: {text[-300:]}")
            continue
        wanted = state(expected)
        tries = list(mistakes(origin))
        if settings.quick:
            tries = tries[settings.seed % 11::11]
        settings.each(lambda pair: outcome.judge(
            f"{app}, {pair[1].what}", judge(settings, origin, wanted, *pair)), enumerate(tries))
    outcome.notes.append(f"{len(outcome.failures)} silent")
    return outcome


def godwit(settings: Settings, folder: Path) -> tuple[int, str]:
    home = folder / "tmp"
    home.mkdir(exist_ok=True)
    done = execute(
        [settings.binary, "run", "--strict", "-m", "godwit.yaml", "-c", "container", "--now", NOW], folder)
    return done.returncode, done.stdout + done.stderr


def state(folder: Path) -> dict[tuple, int]:
    """Each value of each record of the store that the manifest calls cloud, with its table, column and record."""
    found: dict[tuple, int] = {}
    for path in sorted((folder / "container").rglob("*Cloud.store")):
        with sqlite3.connect(path) as store:
            store.text_factory = bytes
            for table in reading.tables(store):
                if table.startswith(("godwit_", "sqlite_")):
                    continue
                cursor = store.execute(f'SELECT * FROM "{table}"')
                columns = [column[0] for column in cursor.description]
                for row in cursor:
                    for column, value in zip(columns, row):
                        cell = (table.lower(), column.lower(), row[0], value)
                        found[cell] = found.get(cell, 0) + 1
    return found


def judge(
    settings: Settings, origin: Path, wanted: dict[tuple, int], number: int, mistake: Mistake,
) -> list[str]:
    folder = origin.with_name(f"{origin.name}-{number}")
    shutil.copytree(origin, folder, copy_function=shutil.copy2)
    try:
        mistake.make(folder)
        status, text = godwit(settings, folder)
        if status != 0:
            return [] if status in (1, 3, 65, 66, 73, 74, 77, 78) else [f"it ends with {status}: {text[-200:]}"]
        found = state(folder)
        missing = [cell for cell, count in wanted.items() if found.get(cell, 0) < count and not is_date(cell)]
        names = sorted({f"{table}.{column}" for table, column, _, _ in missing})
        return [f"silent: {len(missing)} values missing in {', '.join(names[:4])}"] if missing else []
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_date(cell: tuple) -> bool:
    """Dates of records are made from the times of files, and `modified` is left out of the mistakes."""
    return any(word in cell[1] for word in ("updated", "modified", "created", "at"))


# Mistakes


def mistakes(origin: Path) -> Iterator[Mistake]:
    lines = (origin / "godwit.yaml").read_text().splitlines()
    for number, line in enumerate(lines):
        if not line.strip() or FREE.match(line):
            continue
        yield Mistake(f"line {number + 1} left out: {line.strip()[:50]}", with_line(number))
        free = [match.span() for match in FREE_INLINE.finditer(line)]
        for match in WORD.finditer(line):
            if any(start <= match.start() < end for start, end in free):
                continue
            for kind, word in edits(match.group()):
                yield Mistake(
                    f"line {number + 1}, {kind}: {match.group()} -> {word}",
                    with_line(number, line[:match.start()] + word + line[match.end():]))
    for path in sorted(origin.rglob("*")):
        inside = path.relative_to(origin)
        if path.is_dir() or inside.name == "godwit.yaml":
            continue
        yield Mistake(f"{inside} missing", lambda folder, inside=inside: (folder / inside).unlink())
        yield Mistake(f"{inside} empty", lambda folder, inside=inside: (folder / inside).write_bytes(b""))
        yield Mistake(f"{inside} moved", lambda folder, inside=inside: moved(folder, inside))
        for kind, name in edits(inside.name):
            yield Mistake(
                f"{inside} misnamed, {kind}: {name}",
                lambda folder, inside=inside, name=name: (folder / inside).rename((folder / inside).with_name(name)))


def moved(folder: Path, inside: Path) -> None:
    """To the folder above its own."""
    (folder / inside).rename((folder / inside).parent.parent / inside.name)


def edits(word: str) -> Iterator[tuple[str, str]]:
    """One slip of each kind, in the middle of the word."""
    if len(word) < 2:
        return
    middle = len(word) // 2
    found = {
        "dropped": word[:middle] + word[middle + 1:],
        "doubled": word[:middle] + word[middle] + word[middle:],
        "swapped": word[:middle - 1] + word[middle] + word[middle - 1] + word[middle + 1:],
        "case": word[0].swapcase() + word[1:],
        "separator": word.replace("-", "_") if "-" in word else word.replace("_", "-"),
    }
    yield from ((kind, changed) for kind, changed in found.items() if changed != word)


def with_line(number: int, *text: str) -> Callable[[Path], None]:
    """Replaces a line of the manifest, or leaves it out."""
    def make(folder: Path) -> None:
        path = folder / "godwit.yaml"
        lines = path.read_text().splitlines()
        lines[number:number + 1] = text
        path.write_text("\n".join(lines) + "\n")

    return make
