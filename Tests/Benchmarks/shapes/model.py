"""The shape of a Core Data store: its model, the plain tables that its records become, and the records."""

from __future__ import annotations

import random
import sqlite3
import sys

from .. import trainlog

# The sample containers have such a store as well, and what makes it is in the scripts.
if str(trainlog.ROOT / "Scripts") not in sys.path:
    sys.path.append(str(trainlog.ROOT / "Scripts"))

from sampledata.coredata import CoreDataStore  # noqa: E402
from sampledata.coredata_entities import Attribute, Entity, Kind, Relation  # noqa: E402

SCHEMA = """\
CREATE TABLE Folder (id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
CREATE TABLE Note (
    id TEXT NOT NULL PRIMARY KEY, folderId TEXT REFERENCES Folder (id), title TEXT NOT NULL, amount REAL, position INTEGER,
    createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL
);
CREATE INDEX Note_folderId ON Note (folderId);
"""
COMMON = """\
        id: { from: identifier, as: uuid }
        title: title
        createdAt: { from: createdAt, as: iso8601 }
        updatedAt: { from: updatedAt, as: iso8601 }
"""
ENTITIES = f"""\
  Folder:
    key: id
    modified: updatedAt
    source:
      entity: Folder
      fields:
{COMMON}\
  Note:
    key: id
    modified: updatedAt
    belongsTo: {{ folderId: Folder }}
    source:
      entity: Note
      fields:
{COMMON}\
        folderId: {{ from: folder.identifier, as: uuid }}
        amount: amount
        position: position
"""
ATTRIBUTES = (Attribute("identifier", Kind.UUID, "id"), Attribute("title", Kind.STRING, "title"),
              Attribute("createdAt", Kind.DATE, "createdAt"), Attribute("updatedAt", Kind.DATE, "updatedAt"))
MODEL = (
    Entity("Folder", 1, "id", ATTRIBUTES, (Relation("notes", "Note", "folder"),)),
    Entity("Note", 2, "id", (*ATTRIBUTES, Attribute("amount", Kind.DOUBLE, "amount", True),
                             Attribute("position", Kind.INTEGER, "position")),
           (Relation("folder", "Folder", "notes", "folderId"),)),
)


def fill(connection: sqlite3.Connection, counts: dict[str, int]) -> None:
    """All tables of an open, empty store."""
    dice = random.Random("coredata")
    folders = [common(dice, f"Folder {place}") for place in range(counts["Folder"])]
    notes = [{**common(dice, f"Note {place}"), "folderId": folders[int(dice.random() * len(folders))]["id"],
              "amount": place * 0.25 if place % 3 else None, "position": place % 100} for place in range(counts["Note"])]
    CoreDataStore(connection, "shapes", MODEL).create({"Folder": folders, "Note": notes})


def common(dice: random.Random, title: str) -> dict[str, object]:
    return {"id": trainlog.identifier(dice), "title": title, "createdAt": trainlog.moment(dice),
            "updatedAt": trainlog.moment(dice)}
