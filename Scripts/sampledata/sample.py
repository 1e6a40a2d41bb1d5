"""The files of one sample app while they are being made."""

from pathlib import Path
from typing import Dict, Iterable

from .propertylist import property_list_bytes
from .rows import LabelledRows
from .store import create_store

PLACEHOLDER = ".gitkeep"


class Sample:
    """Makes files under `output` from the text in `sources`; every path given to it is relative to one of them."""

    def __init__(self, app: str, sources: Path, migrations: Path, output: Path):
        self.app = app
        self.sources = sources
        self.migrations = migrations
        self.output = output

    def property_list(self, path: str, source: str) -> None:
        """Adds a binary property list made from a JSON file."""
        self._place(path).write_bytes(property_list_bytes(self.sources / source))

    def store(
        self, path: str, schema: Iterable[str], tables: Dict[str, str], extra: Iterable[str] = ()
    ) -> None:
        """Adds a SQLite store: schema files, then further SQL from the sources, then a CSV file of rows per table."""
        scripts = [self.migrations / name for name in schema] + [self.sources / name for name in extra]
        rows = {table: self.sources / name for table, name in tables.items()}
        create_store(self._place(path), scripts, LabelledRows(self.app), rows)

    def placeholder(self, directory: str) -> None:
        """Adds a directory with nothing in it but the file that makes git keep it."""
        self._place(f"{directory}/{PLACEHOLDER}").write_bytes(b"")

    def _place(self, path: str) -> Path:
        place = self.output / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            raise ValueError(f"{path}: made twice; give one of the two another path")
        return place
