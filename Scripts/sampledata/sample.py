"""The files of one sample app while they are being made."""

from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Set, Tuple

from .coredata_entities import Entity
from .propertylist import property_list_bytes
from .rows import LabelledRows, record_uuid
from .store import create_core_data_store, create_store

PLACEHOLDER = ".gitkeep"


class Sample:
    """Makes files under `output` from the text in `sources`; every path given to it is relative to one of them."""

    def __init__(self, app: str, sources: Path, migrations: Path, output: Path):
        self.app = app
        self.sources = sources
        self.migrations = migrations
        self.output = output
        self._names: Set[str] = set()
        self._uses: List[Tuple[str, str]] = []

    def property_list(self, path: str, source: str, xml: bool = False) -> None:
        """Adds a binary or an XML property list made from a JSON file."""

        def naming(name: str) -> str:
            self._uses.append((name, source))
            return record_uuid(self.app, name)

        self._place(path).write_bytes(property_list_bytes(self.sources / source, naming, xml))

    def store(
        self, path: str, schema: Iterable[str], tables: Dict[str, str], extra: Iterable[str] = ()
    ) -> None:
        """Adds a SQLite store: schema files, then further SQL from the sources, then a CSV file of rows per table."""
        scripts = [self.migrations / name for name in schema] + [self.sources / name for name in extra]
        rows = {table: self.sources / name for table, name in tables.items()}
        labelled = LabelledRows(self.app)
        create_store(self._place(path), scripts, labelled, rows)
        self._names |= labelled.keys

    def core_data_store(
        self, path: str, schema: Iterable[str], tables: Dict[str, str], entities: Sequence[Entity]
    ) -> None:
        """Adds a store in the layout of Core Data: the records that the plain tables of these CSV files would hold."""
        scripts = [self.migrations / name for name in schema]
        rows = {table: self.sources / name for table, name in tables.items()}
        labelled = LabelledRows(self.app)
        create_core_data_store(self._place(path), scripts, labelled, rows, entities)
        self._names |= labelled.keys

    def text(self, path: str, source: str) -> None:
        """Adds a text file as it is in the sources, with line feeds."""
        text = (self.sources / source).read_bytes().decode("utf-8")
        self._place(path).write_bytes(text.replace("\r\n", "\n").encode("utf-8"))

    def placeholder(self, directory: str) -> None:
        """Adds a directory with nothing in it but the file that makes git keep it."""
        self._place(f"{directory}/{PLACEHOLDER}").write_bytes(b"")

    def check_names(self) -> None:
        """Refuses a name in a property list that no record of any of the app's stores has."""
        for name, source in self._uses:
            if name not in self._names:
                raise ValueError(f"{self.sources / source}: no record of {self.app} is called {name}")

    def _place(self, path: str) -> Path:
        place = self.output / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            raise ValueError(f"{path}: made twice; give one of the two another path")
        return place
