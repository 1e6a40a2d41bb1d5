"""The shapes: the tables of each, how many records they have, and what the manifest says of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from . import model

STORES = "Library/Application Support"
LOCAL, CLOUD = f"{STORES}/Local.store", f"{STORES}/Cloud.store"
PREFERENCES = "Library/Preferences/com.example.shapes.plist"


class Form(Enum):
    """What a container has besides a plain local store."""

    PLAIN = "a plain store"
    WAL = "all records in the -wal, which was never written back"
    CORE_DATA = "a store in the layout of Core Data"
    UPDATES = "a cloud store that has all records already, a tenth of them older"


@dataclass(frozen=True)
class Shape:
    """One shape. `counts` are the records of each table at scale 1; `entities` is a part of the manifest."""

    name: str
    counts: dict[str, int]
    schema: str
    entities: str
    form: Form = Form.PLAIN
    #: Whose generator makes the records.
    records: str = ""

    def scaled(self, scale: float) -> dict[str, int]:
        """Of a tiny scale each table still has a record."""
        return {table: max(1, round(count * scale)) for table, count in self.counts.items()}

    @property
    def stored(self) -> dict[str, str]:
        """The tables of the local store, each with the column that its records are read in the order of."""
        if self.form is Form.CORE_DATA:
            return {f"Z{table.upper()}": "Z_PK" for table in self.counts}
        return dict.fromkeys(self.counts, "id")

    @property
    def manifest(self) -> str:
        local = f"{{ path: {LOCAL}, layout: coreData }}" if self.form is Form.CORE_DATA else LOCAL
        return (f"godwit: 1\napp: Shapes\ncontainer:\n  preferences: [{PREFERENCES}]\n  local: {local}\n  cloud: {CLOUD}\n"
                f"schema: schema\nentities:\n{self.entities}")


def families(name: str, parents: int, children: int, form: Form = Form.PLAIN) -> Shape:
    """Parents and children with a foreign key."""
    return Shape(name, {"Parent": parents, "Child": children}, """\
CREATE TABLE Parent (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL, updatedAt TEXT NOT NULL);
CREATE TABLE Child (
    id TEXT NOT NULL PRIMARY KEY, parentId TEXT NOT NULL REFERENCES Parent (id), position INTEGER NOT NULL, amount REAL,
    updatedAt TEXT NOT NULL
);
CREATE INDEX Child_parentId ON Child (parentId);
""", """\
  Parent: { key: id, modified: updatedAt }
  Child: { key: id, modified: updatedAt, belongsTo: { parentId: Parent } }
""", form, "families")


def wide() -> Shape:
    return Shape("wide", {"Record": 60_000, "Entry": 360_000}, """\
CREATE TABLE Record (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL, updatedAt TEXT NOT NULL);
CREATE TABLE Entry (
    id TEXT NOT NULL PRIMARY KEY, recordId TEXT NOT NULL REFERENCES Record (id), position INTEGER NOT NULL,
    updatedAt TEXT NOT NULL
);
CREATE INDEX Entry_recordId ON Entry (recordId);
""", """\
  Record: { key: id, modified: updatedAt }
  Entry: { key: id, modified: updatedAt, belongsTo: { recordId: Record } }
""")


def single(name: str, table: str, count: int, columns: str, modified: str = "updatedAt") -> Shape:
    """A shape of one table."""
    return Shape(name, {table: count}, f"CREATE TABLE {table} ({columns});\n",
                 f"  {table}: {{ key: id, modified: {modified} }}\n")


def tables(number: int, count: int) -> Shape:
    names = [f"Table{place:03}" for place in range(number)]
    columns = "id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, amount REAL, updatedAt TEXT NOT NULL"
    return Shape("tables", dict.fromkeys(names, count), "".join(f"CREATE TABLE {name} ({columns});\n" for name in names),
                 "".join(f"  {name}: {{ key: id, modified: updatedAt }}\n" for name in names))


SHAPES = (
    families("narrow", 100_000, 1_000_000),
    wide(),
    single("blobs", "Picture", 20_000, "id TEXT NOT NULL PRIMARY KEY, data BLOB NOT NULL, updatedAt TEXT NOT NULL"),
    single("integers", "Reading", 2_000_000,
           "id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, value INTEGER, takenAt INTEGER NOT NULL",
           "{ column: takenAt, as: unixSeconds }"),
    single("escapes", "Remark", 400_000, "id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL, updatedAt TEXT NOT NULL"),
    tables(300, 1_000),
    families("wal", 100_000 // 3, 1_000_000 // 3, Form.WAL),
    Shape("coredata", {"Folder": 60_000, "Note": 540_000}, model.SCHEMA, model.ENTITIES, Form.CORE_DATA),
    families("updates", 100_000 // 3, 1_000_000 // 3, Form.UPDATES),
)
