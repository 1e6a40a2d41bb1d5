"""DuckDB's side, by the Python that it is installed for.

    duck.py check | export FOLDER STORE QUERIES | hash STORE QUERIES STORE QUERIES

QUERIES is a file with a name and a query of the attached store `s` in each line, with a tab between them.
"""

import sys
from pathlib import Path

import duckdb
import duckdb_extension_sqlite_scanner


def connected():
    connection = duckdb.connect()
    extension = next(Path(duckdb_extension_sqlite_scanner.__file__).parent.rglob("sqlite_scanner.duckdb_extension"))
    connection.execute(f"LOAD '{extension}'")
    connection.execute("SET preserve_insertion_order = false")
    return connection


def attach(connection, store: str) -> None:
    connection.execute("ATTACH '" + store.replace("'", "''") + "' AS s (TYPE sqlite, READ_ONLY)")


def queries(path: str) -> list:
    return [line.split("\t", 1) for line in Path(path).read_text().splitlines()]


def export(connection, folder: str, store: str, path: str) -> None:
    """A file of JSON lines for each table, its records in no order."""
    attach(connection, store)
    for name, query in queries(path):
        connection.execute(f"COPY ({query}) TO '" + f"{folder}/{name}.jsonl".replace("'", "''") + "' (FORMAT json)")


def hashes(connection, pairs: list) -> None:
    """The queries of all stores have to find the same, if they are of the same tables."""
    found = []
    for store, path in zip(pairs[::2], pairs[1::2]):
        attach(connection, store)
        found.append({name: connection.execute(query).fetchone() for name, query in queries(path)})
        connection.execute("DETACH s")
    if any(one.keys() == found[0].keys() and one != found[0] for one in found):
        sys.exit("the stores differ")


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "export":
        export(connected(), *words)
    elif command == "hash":
        hashes(connected(), words)
    else:
        connected()
