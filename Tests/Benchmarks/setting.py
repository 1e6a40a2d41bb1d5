"""Where everything is, and the words of commands for the shell."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import trainlog
from .filling import Filling

CLOUD = "Library/Application Support/TrainLogCloud.store"
#: Each with its key.
TABLES = {"Workout": "id", "ExerciseSet": "id", "UserSettings": "id", "FavoriteExercise": "exerciseId"}


@dataclass(frozen=True)
class Setting:
    """One scale: the generated containers, which nothing writes to, and a folder for everything else."""

    binary: Path
    container: Path
    wal: Path
    scratch: Path
    sqlite_utils: Path | None
    filling: Filling | None = None
    manifest: Path = trainlog.MANIFEST

    def godwit(self, command: str, container: Path | None, *words: str | Path) -> str:
        """A command of Godwit's for a container, or one that takes none."""
        place: list[str | Path] = ["-m", self.manifest, "-c", container] if container else []
        return line([self.binary, command, *place, "-q", *words])

    def undone(self, name: str) -> Path:
        """Where a copy of the container is, once `restored` has been run."""
        return self.scratch / name

    def restored(self, name: str, of: Path | None = None) -> str:
        """Makes, or makes again, the copy of a container with no cloud store and no flag."""
        copy, source = self.scratch / name, of or self.container
        return f"{line(['rm', '-rf', copy])} && {line(['cp', '-r', '--reflink=auto', source, copy])}"

    def cleared(self, name: str, of: Path | None = None) -> str:
        """The same where only the cloud store and the flag were made: those go, and the local store stays."""
        copy = self.scratch / name
        gone = line(["rm", "-rf", copy / CLOUD, copy / f"{CLOUD}-journal", copy / "Library/Preferences"])
        return f"if [ -e {shlex.quote(str(copy))} ]; then {gone}; else {self.restored(name, of)}; fi"


def line(words: Sequence[str | Path]) -> str:
    return " ".join(shlex.quote(str(word)) for word in words)


def text(value: str | Path) -> str:
    """A text of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def records(container: Path) -> int:
    connection = sqlite3.connect(f"file:{container / trainlog.STORE}?mode=ro", uri=True)
    try:
        return sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES)
    finally:
        connection.close()
