"""Export and import beside `sqlite3 -json`, alone and through `pigz`, of one store."""

from __future__ import annotations

import shlex
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import trainlog
from .measuring import Work

QUERY = "SELECT * FROM Workout ORDER BY id; SELECT * FROM ExerciseSet ORDER BY id;"


@dataclass(frozen=True)
class Row:
    """A comparison: Godwit's work, the yardstick's, and how many times as fast Godwit wants to be; 0 for no aim."""

    title: str
    ours: Work
    yardstick: Work
    aim: float


def rows(binary: Path, container: Path, scratch: Path) -> list[Row]:
    manifest, store = (shlex.quote(str(path)) for path in (trainlog.MANIFEST, container / trainlog.STORE))
    godwit = shlex.quote(str(binary))
    export = f"{godwit} export -m {manifest} -c {shlex.quote(str(container))} --quiet"
    ours, theirs = scratch / "ours", scratch / "theirs"
    document = scratch / "document.json"
    subprocess.run(["bash", "-c", f"{export} -o {document}"], check=True)
    reading = f"sqlite3 -readonly -json {store} '{QUERY}'"
    return [
        Row("export, plain JSON",
            Work("godwit export", f"{export} -o {ours}", ours),
            Work("sqlite3 -json", f"{reading} > {theirs}", theirs), 4),
        Row("export --gzip",
            Work("godwit export --gzip", f"{export} --gzip -o {ours}", ours),
            Work("sqlite3 -json, pigz -6", f"{reading} | pigz -6 > {theirs}", theirs), 1.3),
        Row("import",
            Work("godwit import", f"{godwit} import {document} -m {manifest} --quiet -o {ours}", ours),
            Work("sqlite3 .dump, sqlite3", f"sqlite3 -readonly {store} .dump | sqlite3 {theirs}", theirs), 0),
    ]


def records(container: Path) -> int:
    connection = sqlite3.connect(f"file:{container / trainlog.STORE}?mode=ro", uri=True)
    try:
        return sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                   for table in ("Workout", "ExerciseSet"))
    finally:
        connection.close()
