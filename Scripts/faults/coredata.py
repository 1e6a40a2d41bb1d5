"""Birdlog as an older release left it: its local store is one of Core Data's, which Godwit reads and never writes.

The same records as in `birdlog`, in the tables that Core Data makes of them (entities, primary keys, a model, history);
photos in the store, in files next to it, and one whose file is gone. Some containers are in an `.xcappdata` bundle.
"""

from __future__ import annotations

import os
from pathlib import Path

from sampledata.coredata import CoreDataStore
from sampledata.coredata_entities import Attribute, Entity, Kind, Relation
from sampledata.store import crashed_store

from . import birdlog
from .birdlog import BUNDLE, CONTAINER, LOCAL, Variant

#: The folder next to the store, below the container, with the files of large photos.
SUPPORT = str(Path(LOCAL).parent / f".{Path(LOCAL).stem}_SUPPORT")
EXTERNAL = f"{SUPPORT}/_EXTERNAL_DATA"
VARIANTS = [Variant("absent", "wal", "coreData", is_bundle=True), Variant("existing", "delete", "coreData")]

ENTITIES = (
    Entity("Settings", 1, "row", (
        Attribute("id", Kind.STRING, "id"), Attribute("units", Kind.STRING, "units", True),
        Attribute("reminderHour", Kind.INTEGER, "reminderHour", True), Attribute("updatedAt", Kind.DATE, "updatedAt"))),
    Entity("Sighting", 2, "row", (
        Attribute("id", Kind.STRING, "id"), Attribute("note", Kind.STRING, "note", True),
        Attribute("photo", Kind.BINARY, "photo", True), Attribute("seen", Kind.INTEGER, "seen"),
        Attribute("updatedAt", Kind.DATE, "updatedAt")),
        (Relation("species", "Species", "sightings", "speciesRow"),)),
    Entity("Species", 3, "row", (
        Attribute("id", Kind.STRING, "id"), Attribute("name", Kind.STRING, "name"),
        Attribute("weight", Kind.DOUBLE, "weight", True), Attribute("updatedAt", Kind.DATE, "updatedAt")),
        (Relation("sightings", "Sighting", "species"),)),
)

SOURCES = {
    "Species": """\
  Species:
    key: id
    modified: updatedAt
    source:
      entity: Species
      fields: { id: id, name: name, weight: weight, updatedAt: { from: updatedAt, as: iso8601 } }
""",
    "Sighting": """\
  Sighting:
    key: id
    modified: updatedAt
    belongsTo: { speciesId: Species }
    source:
      entity: Sighting
      fields:
        id: id
        speciesId: species.id
        note: note
        photo: { from: photo, as: externalData }
        seen: seen
        updatedAt: { from: updatedAt, as: iso8601 }
""",
    "Settings": """\
  Settings:
    key: id
    modified: updatedAt
    singleton: settings
    source:
      entity: Settings
      fields: { id: id, units: units, reminderHour: reminderHour, updatedAt: { from: updatedAt, as: iso8601 } }
""",
}


def build(folder: Path, variant: Variant) -> Path:
    """Writes manifest, migrations and container below a folder and gives it back."""
    birdlog.build(folder, variant, manifest(), make_local=_make_store)
    if variant.is_bundle:
        (folder / BUNDLE).mkdir()
        (folder / BUNDLE / "AppData").symlink_to(f"../{CONTAINER}")
    return folder


def manifest() -> str:
    """Birdlog's manifest, for a local store in Core Data's layout."""
    lines = []
    for line in birdlog.MANIFEST.splitlines(keepends=True):
        name = line.strip().partition(":")[0]
        if line.startswith("  local:"):
            lines.append(f"  local: {{ path: {LOCAL}, layout: coreData }}\n")
        else:
            lines.append(SOURCES[name] if name in SOURCES and line.startswith("  ") else line)
    return "".join(lines)


def records(rows: dict[str, list[tuple]]) -> dict[str, list[tuple]]:
    """The keys of each entity's records, as they would be in plain tables."""
    found = {}
    for entity, key in birdlog.ENTITIES.items():
        if table := rows.get(f"Z{entity.upper()}"):
            place = table[0].index(f"Z{key.upper()}")
            found[entity] = [(key,)] + [(row[place],) for row in table[1:]]
    return found


def _make_store(path: Path, journal: str) -> None:
    """The store as the app leaves it; in WAL mode all of it is still in the `-wal`, as after a crash."""
    with crashed_store(path) as connection:
        connection.execute("PRAGMA page_size = 512")
        if journal == "wal":
            connection.executescript("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
        CoreDataStore(connection, "birdlog", ENTITIES).create(_rows(path))


def _rows(path: Path) -> dict[str, list[dict]]:
    """Birdlog's rows by column, each with a number of its own, since keys occur twice."""
    plain = birdlog.local_rows()
    species = [
        {"row": number, "id": id, "name": name, "weight": weight, "updatedAt": date}
        for number, (id, name, weight, date) in enumerate(plain["Species"])
    ]
    first = {row["id"]: row["row"] for row in reversed(species)}
    sightings = [
        {"row": number, "id": id, "speciesRow": first[bird], "note": note, "photo": _photo(path, number, photo),
         "seen": seen, "updatedAt": date}
        for number, (id, bird, note, photo, seen, date) in enumerate(plain["Sighting"])
    ]
    settings = [
        {"row": number, "id": id, "units": units, "reminderHour": hour, "updatedAt": date}
        for number, (id, units, hour, date) in enumerate(plain["Settings"])
    ]
    return {"Species": species, "Sighting": sightings, "Settings": settings}


def _photo(path: Path, number: int, photo: bytes | None) -> bytes | None:
    """A photo as its column has it: a byte 1 and the data, or a byte 2 and the name of a file."""
    if photo is None:
        return None
    if number % 6:
        return b"\x01" + photo
    name = f"00000000-0000-4000-8000-{number:012X}"
    # One file was lost.
    if number != 12:
        file = path.parent / f".{path.stem}_SUPPORT" / "_EXTERNAL_DATA" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(photo * 20)
        os.utime(file, (birdlog.SAVED, birdlog.SAVED))
    return b"\x02" + name.encode() + b"\x00"
