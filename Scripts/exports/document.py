"""An export in either layout, taken apart."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Iterator

from . import parsing
from .errors import Invalid

RECORDS = ',\n   "records": ['
GONE = ',\n   "gone": ['


@dataclass
class Export:
    """The content of an export, in either layout."""

    layout: str
    """`document` or `lines`."""
    names: list[str]
    """Names of the top-level members, in their order; in lines those of the header line."""
    header: dict[str, Any]
    """The top-level members, the entities among them; in lines those of the header line."""
    entities: list[Entity]
    integrity: Any
    array: str
    """The text that the hash is over: the entities as they stand there, or put together from the lines."""
    units: list[tuple[str, Any]] = field(default_factory=list)
    """What is to be held against the schema: the name of its definition and the value."""


@dataclass
class Entity:
    """An entity and its records."""

    name: str
    key: str
    columns: list[dict[str, Any]]
    count: Any
    records: list[Any]
    gone_count: Any = None
    """How many keys are gone; None where everything is exported."""
    gone: list[Any] | None = None


def take_apart(content: bytes) -> Export:
    """Reads an export; the first line shows the layout."""
    text = parsing.decode(content)
    if not text.startswith("{"):
        raise Invalid("it does not begin with {")
    if not text.endswith("}\n"):
        raise Invalid("it does not end with } and a line feed")
    return _lines(text) if _has_layout(text[:text.index("\n")]) else _document(text)


def _has_layout(first: str) -> bool:
    """Whether the first line is a whole object that names a layout: only the header of JSON lines is."""
    try:
        header = parsing.whole(first, "the first line")
    except Invalid:
        return False
    return isinstance(header, dict) and "layout" in header


def _document(text: str) -> Export:
    parts = {part.name: part for part in parsing.members(text, "the document")}
    top = {name: part.value for name, part in parts.items()}
    array = text[parts["entities"].start:parts["entities"].end] if "entities" in parts else ""
    entities = [_entity(entity, _member(entity, "records", list)) for entity in _member(top, "entities", list)]
    return Export("document", list(top), top, entities, _member(top, "integrity", dict), array, [("", top)])


def _lines(text: str) -> Export:
    first, *rows, last = text[:-1].split("\n") if text.count("\n") > 1 else (text[:-1], "null")
    header = parsing.whole(first, "the header line")
    values = [parsing.whole(row, f"line {number}") for number, row in enumerate(rows, 2)]
    integrity = parsing.whole(last, "the last line")
    lines = (("goneLine" if isinstance(line, dict) and "gone" in line else "recordLine", line) for line in values)
    units = [("headerLine", header), *lines, ("integrityLine", integrity)]
    rest = iter(zip(rows, values))
    entities, parts = [], []
    for opening, description in _openings(first):
        name = _member(description, "name", str)
        records, texts = _take(rest, name, "record", _member(description, "count", int))
        part = opening + RECORDS + ("\n    " if texts else "") + ",\n    ".join(texts) + "]"
        gone = None
        if "goneCount" in description:
            gone, texts = _take(rest, name, "gone", _member(description, "goneCount", int))
            part += GONE + ("\n    " if texts else "") + ",\n    ".join(texts) + "]"
        entities.append(_entity(description, records, gone))
        parts.append(part + "}")
    if next(rest, None) is not None:
        raise Invalid("there are more record lines than the header announces, or they are out of its order")
    array = "[" + ",\n  ".join(parts) + "]"
    return Export("lines", list(header), header, entities, _member(integrity, "integrity", dict), array, units)


def _openings(first: str) -> Iterator[tuple[str, Any]]:
    """Each entity of the header line: its text without the last brace, and its value."""
    for part in parsing.members(first, "the header line"):
        if part.name == "entities" and isinstance(part.value, list):
            for entity in parsing.elements(first, part.start):
                yield first[entity.start:entity.end - 1], entity.value


def _take(
    rows: Iterator[tuple[str, Any]], name: str, kind: str, count: int
) -> tuple[list[Any], list[str]]:
    records, texts = [], []
    prefix = '{"entity":' + json.dumps(name, ensure_ascii=False) + f',"{kind}":'
    for _ in range(count):
        row, line = next(rows, ("", None))
        if not isinstance(line, dict) or line.get("entity") != name:
            raise Invalid(f"{name} has fewer {kind} lines than the header announces, or they are out of its order")
        if not row.startswith(prefix):
            raise Invalid(f"a {kind} line of {name} is not written as lines are")
        records.append(line.get(kind))
        texts.append(row[len(prefix):-1])
    return records, texts


def _entity(value: Any, records: list[Any], gone: list[Any] | None = None) -> Entity:
    columns = _member(value, "columns", list)
    for column in columns:
        _member(column, "name", str)
    return Entity(
        _member(value, "name", str), _member(value, "key", str), columns, _member(value, "count", int), records,
        value.get("goneCount"), value.get("gone", gone))


def _member(value: Any, name: str, kind: type) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(name), kind):
        raise Invalid(f"'{name}' is missing, or has a value of the wrong type")
    return value[name]
