"""A store in the layout of Core Data, as SwiftData writes it, from the CSV files of plain tables.

Besides a table for each entity there are the ones that the framework keeps for itself: Z_PRIMARYKEY (entities and their
highest keys), Z_METADATA (a property list), Z_MODELCACHE (the model) and the three of the persistent history. What they
hold is invented, but of the form that the framework gives it.
"""

import hashlib
import plistlib
import sqlite3
from base64 import b64encode
from typing import Any, Dict, List, Sequence

from .coredata_entities import Entity, Relation
from .coredata_model import model_cache
from .rows import record_uuid

HISTORY = """
CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, \
ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
"""
OWN_TABLES = """
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
"""
CHANGE, TRANSACTION, TRANSACTION_STRING = 16001, 16002, 16003
INSERTED = 0  # ZCHANGETYPE

Row = Dict[str, Any]


class CoreDataStore:
    """Fills an open, empty database."""

    def __init__(self, connection: sqlite3.Connection, app: str, entities: Sequence[Entity]):
        self.connection = connection
        self.app = app
        self.entities = sorted(entities, key=lambda entity: entity.number)

    def create(self, rows: Dict[str, List[Row]]) -> None:
        """Makes all tables and fills them with the rows of the plain tables, by entity."""
        for entity in self.entities:
            self._create_table(entity)
        self.connection.executescript(HISTORY + OWN_TABLES)
        self.connection.execute("BEGIN")
        keys = {entity.name: self._keys(entity, rows[entity.name]) for entity in self.entities}
        for entity in self.entities:
            self._fill(entity, rows[entity.name], keys)
        history = self._write_history(keys)
        self._write_own_tables(keys, history)
        self.connection.execute("COMMIT")

    def _create_table(self, entity: Entity) -> None:
        columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        columns += [f"{column} {declared}" for column, declared, _ in entity.columns]
        self.connection.execute(f"CREATE TABLE {entity.table} ( {', '.join(columns)} )")
        for relation in entity.relations:
            if not relation.is_to_many:
                column = f"Z{relation.name.upper()}"
                self.connection.execute(f"CREATE INDEX {entity.table}_{column}_INDEX ON {entity.table} ({column})")

    def _keys(self, entity: Entity, rows: List[Row]) -> Dict[Any, int]:
        """The primary key of each record: in the order of the rows, with a gap where one was deleted."""
        keys = {row[entity.key]: at + (1 if at < 10 else 2) for at, row in enumerate(rows)}
        if len(keys) != len(rows):
            raise ValueError(f"{entity.name}: a key is there twice, and relations could lead to either")
        return keys

    def _fill(self, entity: Entity, rows: List[Row], keys: Dict[str, Dict[Any, int]]) -> None:
        marks = ", ".join("?" for _ in range(3 + len(entity.columns)))
        for row in rows:
            own = keys[entity.name][row[entity.key]]
            # How often a record was saved: at least once.
            values = [own, entity.number, 1 + own % 3]
            for _, _, item in entity.columns:
                value = row[item.source]
                if isinstance(item, Relation):
                    values.append(None if value is None else keys[item.target][value])
                else:
                    values.append(item.kind.stored(value))
            self.connection.execute(f"INSERT INTO {entity.table} VALUES ({marks})", values)

    def _write_history(self, keys: Dict[str, Dict[Any, int]]) -> Dict[int, int]:
        """One transaction that inserted the last record of each entity; what came before was purged."""
        strings = [f"com.example.{self.app}", self.app, "author"]
        for at, text in enumerate(strings, start=1):
            self.connection.execute("INSERT INTO ATRANSACTIONSTRING VALUES (?, ?, 1, ?)", (at, TRANSACTION_STRING, text))
        self.connection.execute(
            "INSERT INTO ATRANSACTION VALUES (41, ?, 1, 3, 1, NULL, 2, 816902043.25, NULL, NULL, NULL, NULL, NULL)",
            (TRANSACTION,),
        )
        for at, entity in enumerate(self.entities, start=1):
            values = (640 + at, CHANGE, 1, INSERTED, entity.number, max(keys[entity.name].values()), 41, None)
            self.connection.execute("INSERT INTO ACHANGE VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        return {CHANGE: 640 + len(self.entities), TRANSACTION: 41, TRANSACTION_STRING: len(strings)}

    def _write_own_tables(self, keys: Dict[str, Dict[Any, int]], history: Dict[int, int]) -> None:
        numbered = [(entity.number, entity.name, 0, max(keys[entity.name].values())) for entity in self.entities]
        names = {CHANGE: "CHANGE", TRANSACTION: "TRANSACTION", TRANSACTION_STRING: "TRANSACTIONSTRING"}
        numbered += [(number, names[number], 0, highest) for number, highest in history.items()]
        self.connection.executemany("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", numbered)
        store = record_uuid(self.app, "core-data-store")
        self.connection.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (store, self._metadata()))
        self.connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (model_cache(self.entities),))

    def _metadata(self) -> bytes:
        hashes = {entity.name: hashlib.sha256(entity.signature.encode()).digest() for entity in self.entities}
        digest = hashlib.sha512(b"".join(hashes[name] for name in sorted(hashes))).digest()
        metadata = {
            "NSPersistenceFrameworkVersion": 1414,
            "NSStoreModelVersionHashes": hashes,
            "NSStoreModelVersionHashesDigest": b64encode(digest).decode(),
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionIdentifiers": ["1.0.0"],
            "NSStoreType": "SQLite",
            "_NSAutoVacuumLevel": "2",
        }
        return plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY, sort_keys=True)
