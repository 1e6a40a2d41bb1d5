"""Birdlog, an invented diary of sightings: the small app whose container every sweep starts from.

Small on purpose (512-byte pages, 40 to 200 rows), so that a run makes few system calls and each can be tried; yet with
everything in it that a run has to do: pending migrations, legacy settings and favourites, duplicate keys with children,
a singleton with three rows, records that exist in both stores with either side the newer.
"""

from __future__ import annotations

import os
import plistlib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from sampledata.store import crashed_store

APP = "app"
CONTAINER = "c"
#: A bundle as Xcode downloads it, where there is one; its `AppData` is the container.
BUNDLE = "Birdlog.xcappdata"
OUTPUT = "out"
SCRATCH = "tmp"
LOCAL = "Library/Application Support/Birdlog.store"
CLOUD = "Library/Application Support/BirdlogCloud.store"
PREFERENCES = "Library/Preferences/com.example.birdlog.plist"
FLAG = "movedToCloud"
NOW = "2026-11-20T07:00:00Z"
#: The legacy file's age; what is imported is dated with it.
SAVED = 1_763_000_000
#: Parents before children; each with its key.
ENTITIES = {"Species": "id", "Sighting": "id", "Favorite": "speciesId", "Settings": "id"}
SINGLETON, SINGLETON_KEY = "Settings", b"settings"

MANIFEST = f"""\
godwit: 1
app: Birdlog
container:
  preferences:
    - {PREFERENCES}
  local: {LOCAL}
  cloud: {CLOUD}
schema: migrations
entities:
  Species: {{ key: id, modified: updatedAt }}
  Sighting: {{ key: id, modified: updatedAt, belongsTo: {{ speciesId: Species }} }}
  Favorite: {{ key: speciesId, modified: createdAt, conflict: keepEarliest }}
  Settings: {{ key: id, modified: updatedAt, singleton: settings }}
legacy:
  settings:
    - key: units
      into: Settings.units
      values: {{ metric: m, imperial: ft }}
      default: m
    - key: reminderHour
      into: Settings.reminderHour
      default: 8
  favorites:
    - key: favoriteSpecies
      into: Favorite.speciesId
  localOnly: [lastOpened]
copy: {{ flag: {FLAG} }}
export:
  schemaVersion: 1
  freshness: {{ warnAfter: 12h, errorAfter: 48h }}
history: {{ keep: 5 }}
"""

MIGRATIONS = {
    "V0001__create_store.sql": """\
CREATE TABLE Species(id TEXT NOT NULL, name TEXT NOT NULL, weight REAL, updatedAt TEXT);
CREATE TABLE Sighting(id TEXT NOT NULL, speciesId TEXT, note TEXT, photo BLOB, seen INTEGER, updatedAt TEXT);
CREATE TABLE Settings(id TEXT NOT NULL, units TEXT, reminderHour INTEGER, updatedAt TEXT);
""",
    "V0002__favorites.sql": """\
CREATE TABLE Favorite(speciesId TEXT NOT NULL, createdAt TEXT);
CREATE INDEX SightingBySpecies ON Sighting(speciesId);
""",
    "V0003__places.sql": "ALTER TABLE Sighting ADD COLUMN place TEXT DEFAULT '';\n",
}

LEGACY = {
    "units": "imperial",
    "reminderHour": 6,
    "favoriteSpecies": ["species-03", "species-05", "species-08"],
    "lastOpened": 42,
    "somebodyElses": {"kept": [1, 2.5, b"\x00\x01", "ü"]},
}


@dataclass(frozen=True)
class Variant:
    """How the container was before: with or without a cloud store, and the journal mode of its stores."""

    cloud: str
    journal: str
    #: Of the local store: `tables` or `coreData`.
    layout: str = "tables"
    is_bundle: bool = False

    @property
    def name(self) -> str:
        layout = ", Core Data" if self.layout == "coreData" else ""
        return f"{self.cloud} cloud, {self.journal}{layout}{' in a bundle' if self.is_bundle else ''}"


VARIANTS = [Variant(cloud, journal) for cloud in ("absent", "existing") for journal in ("delete", "wal")]


def build(folder: Path, variant: Variant, manifest: str = MANIFEST,
          make_local: Callable[[Path, str], None] | None = None) -> Path:
    """Writes manifest, migrations and container below a folder and gives it back.

    `make_local` makes the local store, given its path and its journal mode, where it is not one of plain tables.
    """
    migrations = folder / APP / "migrations"
    migrations.mkdir(parents=True)
    (folder / APP / "godwit.yaml").write_text(manifest)
    for name, text in MIGRATIONS.items():
        (migrations / name).write_text(text)
    for name in (OUTPUT, SCRATCH):
        (folder / name).mkdir()
    for name in (LOCAL, PREFERENCES):
        (folder / CONTAINER / name).parent.mkdir(parents=True)
    if make_local:
        make_local(folder / CONTAINER / LOCAL, variant.journal)
    else:
        _make_store(folder / CONTAINER / LOCAL, variant.journal, local_rows())
    if variant.cloud == "existing":
        _make_store(folder / CONTAINER / CLOUD, variant.journal, _cloud_rows())
    preferences = folder / CONTAINER / PREFERENCES
    preferences.write_bytes(plistlib.dumps(LEGACY, fmt=plistlib.FMT_BINARY))
    os.utime(preferences, (SAVED, SAVED))
    return folder


def _make_store(path: Path, journal: str, rows: dict[str, list[tuple]]) -> None:
    """A store as an app leaves it; in WAL mode with half of the rows still in the `-wal`, as after a crash."""
    with crashed_store(path) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.executescript(MIGRATIONS["V0001__create_store.sql"])
        if journal == "wal":
            connection.executescript(
                "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("BEGIN")
        for table, values in rows.items():
            for row in values:
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        connection.execute("COMMIT")


def _date(day: int, hour: int = 12) -> str:
    return f"2026-{1 + day // 28 % 11:02d}-{1 + day % 28:02d}T{hour:02d}:00:00.000Z"


def local_rows() -> dict[str, list[tuple]]:
    """What the local store holds, by table."""
    species = [(f"species-{n:02d}", f"Bird {n}", n * 1.25, _date(n)) for n in range(12)]
    # Two keys that occur twice; the later rows are newer, and children hang on both.
    species += [("species-03", "Bird 3 again", 3.5, _date(200)), ("species-07", "Bird 7 again", None, _date(1))]
    sightings = [
        (f"sighting-{n:03d}", f"species-{n % 12:02d}", f"note {n} ü" if n % 5 else None,
         bytes(range(n % 40)) if n % 3 == 0 else None, n * 1000, _date(n, n % 24))
        for n in range(40)
    ]
    sightings.append(("sighting-011", "species-02", "twice", b"", -1, _date(300)))
    settings = [("a", "ft", 7, _date(10)), ("b", "m", 9, _date(30)), ("c", None, None, _date(20))]
    return {"Species": species, "Sighting": sightings, "Settings": settings}


def _cloud_rows() -> dict[str, list[tuple]]:
    # Records of both stores, newer on either side, and some that only the cloud has.
    species = [(f"species-{n:02d}", f"Cloud bird {n}", n * 2.5, _date(n + (40 if n % 2 else -4))) for n in range(4, 16)]
    species.append(("species-15", "Bird 15 again", 1.0, _date(250)))
    sightings = [
        (f"sighting-{n:03d}", f"species-{4 + n % 12:02d}", f"cloud note {n}", None, n, _date(n + (7 if n % 3 else -7), 3))
        for n in range(30, 50)
    ]
    return {"Species": species, "Sighting": sightings, "Settings": [("settings", "m", 11, _date(5))]}
