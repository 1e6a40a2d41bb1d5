r"""Rows of a table from a CSV file.

The first line names the table's columns, all of them, in order. A cell is read as its column is declared, except:

    \N      NULL (an empty cell is empty text)
    \...    the text after the backslash, for text that begins with \ or @
    @name   the UUID of the record called `name`, the same one wherever the app's files say @name

A name used in a later column must be a key (first column) in the same store. A reference that is meant to point nowhere
is written as a plain UUID.
"""

import csv
import uuid
from pathlib import Path
from typing import Any, List, Sequence, Tuple

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:godwit:sampledata")
Column = Tuple[str, str]  # name, declared type


def record_uuid(app: str, name: str) -> str:
    """The upper-case UUID of the record that an app's files call by this name."""
    return str(uuid.uuid5(NAMESPACE, f"{app}/{name}")).upper()


class LabelledRows:
    """Reads the CSV files of one store and remembers which names they give and use."""

    def __init__(self, app: str):
        self.app = app
        self.keys = set()
        self._uses = []

    def read(self, source: Path, columns: Sequence[Column]) -> List[tuple]:
        """The rows of one file, typed as SQLite is to store them."""
        with open(source, encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            names = [name for name, _ in columns]
            if header != names:
                raise ValueError(f"{source}:1: the columns are {', '.join(header)}; the table has {', '.join(names)}")
            rows = []
            for cells in reader:
                place = f"{source}:{reader.line_num}"
                if len(cells) != len(columns):
                    raise ValueError(f"{place}: {len(cells)} cells for {len(columns)} columns")
                rows.append(tuple(self._value(cell, at, columns[at], place) for at, cell in enumerate(cells)))
            return rows

    def check_names(self) -> None:
        """Refuses a name that no record of the store has: a slip of the pen would otherwise be an orphan."""
        for name, place in self._uses:
            if name not in self.keys:
                raise ValueError(f"{place}: no record of this store is called @{name}")

    def uuid(self, name: str) -> str:
        """The upper-case UUID of a name."""
        return record_uuid(self.app, name)

    def _value(self, cell: str, at: int, column: Column, place: str) -> Any:
        if cell == r"\N":
            return None
        if cell.startswith("\\"):
            return cell[1:]
        if cell.startswith("@"):
            if at == 0:
                self.keys.add(cell[1:])
            else:
                self._uses.append((cell[1:], place))
            return self.uuid(cell[1:])
        name, declared = column
        try:
            return _CONVERSIONS[declared.upper()](cell)
        except (KeyError, ValueError):
            raise ValueError(f"{place}: column {name} ({declared}) can't hold this cell") from None


_CONVERSIONS = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes.fromhex}
