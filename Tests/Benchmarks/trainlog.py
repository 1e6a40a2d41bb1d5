"""A TrainLog container of any size, the same for everybody: all that is random comes from one seed."""

from __future__ import annotations

import random
import sqlite3
import uuid
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "SampleData/trainlog/godwit.yaml"
STORE = "Library/Application Support/TrainLog.store"
WORKOUTS, SETS = 100_000, 1_000_000
#: Changes with what is generated, so that nobody measures a store of an older kind.
KIND = 1

EXERCISES = ("bench-press", "squat", "deadlift", "overhead-press", "barbell-row", "pull-up", "lunge", "plank")
TITLES = ("Push", "Pull", "Legs", "Upper body", "Lower body", "Full body", "朝トレ", "Entraînement", "Kraft")
NOTES = ("felt strong", "easy; add 2.5 kg", "left knee \"clicks\"", "line one\nline two", "筋肉痛 💪", "über 8 Wiederholungen",
         "short of sleep, so only three sets of each, and a walk home afterwards instead of the bus")


def container(folder: Path, scale: float) -> Path:
    """The container, made where it is not there yet."""
    made = folder / f"trainlog-{KIND}-{scale:g}"
    if not made.exists():
        unfinished = folder / f"{made.name}.part"
        store = unfinished / STORE
        store.parent.mkdir(parents=True, exist_ok=True)
        store.unlink(missing_ok=True)
        fill(store, round(WORKOUTS * scale), round(SETS * scale))
        unfinished.rename(made)
    return made


def fill(store: Path, workouts: int, sets: int) -> None:
    dice = random.Random(20261121)
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA journal_mode=OFF")
    for schema in sorted((ROOT / "Migrations/trainlog").glob("*.sql")):
        connection.executescript(schema.read_text())
    connection.execute("BEGIN")
    keys = [identifier(dice) for _ in range(workouts)]
    connection.executemany("INSERT INTO Workout VALUES (?,?,?,?,?,?,?)", rows_of_workouts(dice, keys))
    connection.executemany("INSERT INTO ExerciseSet VALUES (?,?,?,?,?,?,?,?,?)", rows_of_sets(dice, keys, sets))
    connection.execute("COMMIT")
    connection.close()


def rows_of_workouts(dice: random.Random, keys: list[str]) -> Iterator[tuple[object, ...]]:
    for number, key in enumerate(keys):
        made = moment(dice)
        yield (key, f"{dice.choice(TITLES)} {number}", dice.choice(NOTES) if dice.random() < 0.4 else None, made,
               dice.randrange(900, 7200) if dice.random() < 0.9 else None, made, moment(dice))


def rows_of_sets(dice: random.Random, keys: list[str], count: int) -> Iterator[tuple[object, ...]]:
    for number in range(count):
        made = moment(dice)
        weight = dice.randrange(40, 400) * 0.5 if dice.random() < 0.9 else None
        yield (identifier(dice), keys[number % len(keys)], dice.choice(EXERCISES), 1 + number // len(keys) % 10,
               dice.randrange(1, 16), weight, int(dice.random() < 0.2), made, made)


def identifier(dice: random.Random) -> str:
    return str(uuid.UUID(int=dice.getrandbits(128), version=4)).upper()


def moment(dice: random.Random) -> str:
    day, second = dice.randrange(28), dice.randrange(86_400)
    return (f"2026-{dice.randrange(1, 11):02}-{day + 1:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
            f".{dice.randrange(1000):03}Z")
