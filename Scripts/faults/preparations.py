"""What is done before a command is swept, undisturbed: exports to import, a plan to run, folders to write into."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from .birdlog import CLOUD, CONTAINER, OUTPUT
from .scenario import DOCUMENT, INCREMENT, KEPT, PLAN, UNITS, Scenario, common, execute


#: The backup of a run at `birdlog.NOW`, below the output folder.
BACKUP = "backups/2026-11-20T070000Z"


def save_plan(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The plan that is run."""
    execute([binary, "plan", *common(folder), "-o", folder / PLAN], folder, check=True)


def back_up(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A run with its backup, which is put back."""
    execute([binary, "run", *common(folder), "--backup", folder / OUTPUT / "backups"], folder, check=True)


def make_units(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The folders that units are about, and go into."""
    for name in (KEPT, UNITS):
        (folder / OUTPUT / name).mkdir()


def make_kept(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A folder for exports."""
    (folder / OUTPUT / KEPT).mkdir(parents=True)


def keep_exports(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A folder of three exports, and a letter."""
    make_kept(scenario, binary, folder)
    kept = folder / OUTPUT / KEPT
    for day in (18, 19, 20):
        argv = [*common(folder)[:-1], f"2026-11-{day}T06:00:00Z", "--into", kept]
        execute([binary, "export", *argv], folder, check=True)
    (kept / "letter.txt").write_text("not an export")


def export_document(scenario: Scenario, binary: Path, folder: Path) -> None:
    """The document that is imported: in lines and compressed."""
    execute([binary, "export", *common(folder), "--lines", "--gzip", "-o", folder / DOCUMENT], folder, check=True)


def export_twice(scenario: Scenario, binary: Path, folder: Path) -> None:
    """A document of everything, plain, then some changes in the active store, and what changed."""
    execute([binary, "export", *common(folder), "-o", folder / DOCUMENT], folder, check=True)
    with sqlite3.connect(folder / CONTAINER / CLOUD) as app:
        app.execute("DELETE FROM Sighting WHERE rowid IN (SELECT rowid FROM Sighting ORDER BY id LIMIT 3)")
        app.execute("UPDATE Sighting SET speciesId = speciesId || '' , updatedAt = '2026-11-20T06:00:00Z' "
                    "WHERE rowid IN (SELECT rowid FROM Sighting ORDER BY id DESC LIMIT 3)")
    app.close()
    execute([binary, "export", *common(folder), "--since", folder / DOCUMENT, "-o", folder / INCREMENT], folder,
            check=True)
