"""A TrainLog container of any size, the same for everybody: all that is random comes from one seed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from itertools import islice
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "SampleData/trainlog/godwit.yaml"
STORE = "Library/Application Support/TrainLog.store"
WORKOUTS, SETS = 100_000, 1_000_000
SEED = 20261121
#: Changes with what is generated, so that no one measures a store of an older kind.
KIND = 2

EXERCISES = ("bench-press", "squat", "deadlift", "overhead-press", "barbell-row", "pull-up", "lunge", "plank")
TITLES = ("Push", "Pull", "Legs", "Upper body", "Lower body", "Full body", "朝トレ", "Entraînement", "Kraft")
NOTES = ("felt strong", "easy; add 2.5 kg", "left knee \"clicks\"", "line one\nline two", "筋肉痛 💪",
         "über 8 Wiederholungen",
         "short of sleep, so only three sets of each, and a walk home afterwards instead of the bus")
#: Put together once: what is made a million times is looked up here.
DAYS = [f"2026-{month:02}-{day:02}" for month in range(1, 11) for day in range(1, 29)]
CLOCK = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in range(86_400)]
MILLISECONDS = [f"{number:03}Z" for number in range(1000)]


def container(folder: Path, scale: float) -> Path:
    """The container, made where it is not there yet."""
    made = folder / f"trainlog-{KIND}-{scale:g}"
    if not made.exists():
        part = emptied(made.with_name(f"{made.name}.part"))
        fill(part / STORE, round(WORKOUTS * scale), round(SETS * scale))
        part.rename(made)
    return made


def wal_container(folder: Path, scale: float) -> Path:
    """The same records in WAL mode, every hundredth set of them newer in a `-wal` that no process has written back."""
    made = folder / f"trainlog-{KIND}-{scale:g}-wal"
    if not made.exists():
        source = container(folder, scale) / STORE
        part = emptied(made.with_name(f"{made.name}.part"))
        store = part / STORE
        live = store.with_name("live")
        shutil.copyfile(source, live)
        connection = sqlite3.connect(live, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("UPDATE ExerciseSet SET reps = reps + 1 WHERE rowid % 100 = 0")
        # Copied while it is open: closing would write the log back and remove it.
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{live}{suffix}", f"{store}{suffix}")
        connection.close()
        live.unlink()
        part.rename(made)
    return made


def emptied(part: Path) -> Path:
    """Where a container is put together, with the folder for its store; nothing is left of an earlier attempt."""
    shutil.rmtree(part, ignore_errors=True)
    (part / STORE).parent.mkdir(parents=True)
    return part


def fill(store: Path, workouts: int, sets: int) -> None:
    """The records, and then the indexes: ten million keys in random order would take minutes to put in one by one."""
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA journal_mode=OFF")
    for schema in sorted((ROOT / "Migrations/trainlog").glob("*.sql")):
        connection.executescript(schema.read_text())
    indexes = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY rowid").fetchall()
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO Workout VALUES (?,?,?,?,?,?,?)", rows_of_workouts(workouts))
    connection.executemany("INSERT INTO ExerciseSet VALUES (?,?,?,?,?,?,?,?,?)", rows_of_sets(workouts, sets))
    connection.execute("COMMIT")
    for _, statement in indexes:
        connection.execute(statement)
    connection.close()


def keys_of_workouts(count: int) -> Iterator[str]:
    """Always the same ones, so that they need not be stored."""
    dice = random.Random(SEED)
    return (identifier(dice) for _ in range(count))


def rows_of_workouts(count: int) -> Iterator[tuple[object, ...]]:
    dice = random.Random(SEED + 1)
    for number, key in enumerate(keys_of_workouts(count)):
        made = moment(dice)
        yield (key, f"{dice.choice(TITLES)} {number}", dice.choice(NOTES) if dice.random() < 0.4 else None, made,
               dice.randrange(900, 7200) if dice.random() < 0.9 else None, made, moment(dice))


def rows_of_sets(workouts: int, count: int) -> Iterator[tuple[object, ...]]:
    """One for each workout, then the second for each, and so on, as if all of them went on at once."""
    dice = random.Random(SEED + 2)
    roll = dice.random
    for first in range(0, count, workouts):
        position = 1 + first // workouts % 10
        for workout in islice(keys_of_workouts(workouts), count - first):
            made = moment(dice)
            weight = 20 + int(roll() * 360) * 0.5 if roll() < 0.9 else None
            yield (identifier(dice), workout, EXERCISES[int(roll() * len(EXERCISES))], position, 1 + int(roll() * 15),
                   weight, int(roll() < 0.2), made, made)


def identifier(dice: random.Random) -> str:
    """A UUID of version 4, upper case."""
    text = dice.randbytes(16).hex().upper()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{'89AB'[int(dice.random() * 4)]}{text[17:20]}-{text[20:]}"


def moment(dice: random.Random) -> str:
    roll = dice.random
    return (f"{DAYS[int(roll() * len(DAYS))]}T{CLOCK[int(roll() * len(CLOCK))]}"
            f".{MILLISECONDS[int(roll() * len(MILLISECONDS))]}")
