"""Entities of a Core Data model: what an app declares, and the tables and columns that follow from it."""

from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import Any, List, Tuple
from uuid import UUID

REFERENCE = datetime(2001, 1, 1, tzinfo=timezone.utc)


class Kind(Enum):
    """Types of attributes: their number and class in a model, their column's type, and the order of the column."""

    INTEGER = (300, "NSNumber", "INTEGER", 0)
    BOOLEAN = (800, "NSNumber", "INTEGER", 0)
    DATE = (900, "NSDate", "TIMESTAMP", 2)
    DOUBLE = (500, "NSNumber", "FLOAT", 3)
    STRING = (700, "NSString", "VARCHAR", 4)
    UUID = (1100, "NSUUID", "BLOB", 5)
    BINARY = (1000, "NSData", "BLOB", 6)

    @property
    def number(self) -> int:
        return self.value[0]

    @property
    def class_name(self) -> str:
        return self.value[1]

    @property
    def declared(self) -> str:
        return self.value[2]

    @property
    def rank(self) -> int:
        return self.value[3]

    def stored(self, value: Any) -> Any:
        """A value of a plain table as Core Data stores it."""
        if value is None:
            return None
        if self is Kind.DATE:
            seconds = datetime.fromisoformat(value.replace("Z", "+00:00")) - REFERENCE
            return seconds.total_seconds()
        if self is Kind.UUID:
            return UUID(value).bytes
        return value


@dataclass(frozen=True)
class Attribute:
    """A value of a record; `source` is the column of the plain table that it comes from."""

    name: str
    kind: Kind
    source: str
    is_optional: bool = False


@dataclass(frozen=True)
class Relation:
    """A way to other records; for one that leads to a single record, `source` is the column with its key."""

    name: str
    target: str
    inverse: str
    source: str = ""

    @property
    def is_to_many(self) -> bool:
        return not self.source


@dataclass(frozen=True)
class Entity:
    """A kind of record; `key` is the column of the plain table that other records refer to."""

    name: str
    number: int
    key: str
    attributes: Tuple[Attribute, ...]
    relations: Tuple[Relation, ...] = ()

    @property
    def table(self) -> str:
        return f"Z{self.name.upper()}"

    @property
    def columns(self) -> List[Tuple[str, str, Any]]:
        """Column, declared type, and the attribute or relation in it: whole numbers, relations, dates, reals, texts."""
        found = [(item.kind.rank, f"Z{item.name.upper()}", item.kind.declared, item) for item in self.attributes]
        found += [(1, f"Z{item.name.upper()}", "INTEGER", item) for item in self.relations if not item.is_to_many]
        return [(column, declared, item) for _, column, declared, item in sorted(found, key=lambda entry: entry[:2])]

    @property
    def signature(self) -> str:
        """What a version hash is made of: the name, and all that decides about the table."""
        return f"{self.name}: " + ", ".join(f"{column} {declared}" for column, declared, _ in self.columns)
