"""What docs/export-format.md says and JSON Schema can't: hash, counts, orders, how values are written."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from typing import Any, Callable, Iterator

from .document import GONE, RECORDS, Entity, Export
from .parsing import Real, Whole

ORDER = [
    "$schema", "format", "formatVersion", "minReaderVersion", "layout", "app", "schemaVersion", "generator",
    "exportedAt", "exportId", "source", "freshness", "selection", "since", "entities", "integrity",
]
EXACT = 2**53 - 1


def problems(export: Export) -> Iterator[str]:
    """All that is wrong with an export, by the rules that are no schema's."""
    known = [name for name in export.names if name in ORDER]
    if known != [name for name in ORDER if name in known]:
        yield "the top-level members are out of order"
    if export.names[:1] != ["$schema"]:
        yield "it does not begin with $schema"
    yield from _whole_numbers(export)
    yield from _integrity(export)
    names = [entity.name for entity in export.entities]
    if len(set(names)) != len(names):
        yield "an entity is there twice"
    selection = export.header.get("selection", names)
    if not isinstance(selection, list) or sorted(map(str, selection)) != sorted(names):
        yield "the selection names other entities than there are"
    for entity in export.entities:
        yield from _entity(entity)
        yield from _gone(entity, "since" in export.header)
    yield from _spelling(export.array, canonical(export.entities))


def _whole_numbers(export: Export) -> Iterator[str]:
    """JSON Schema takes 1.0 for an integer; a reader of the format does not."""
    places = [(name, export.header.get(name)) for name in ("formatVersion", "minReaderVersion", "schemaVersion")]
    for section, name in (("source", "schemaMigration"), ("freshness", "ageSeconds"), ("freshness", "pendingChanges")):
        members = export.header.get(section)
        places.append((name, members.get(name) if isinstance(members, dict) else None))
    counts = export.integrity.get("counts")
    places += [(f"the count of {name}", count) for name, count in counts.items()] if isinstance(counts, dict) else []
    for name, value in places:
        if isinstance(value, Real):
            yield f"{name} is a whole number written with a point or an exponent"


def _spelling(written: str, expected: str) -> Iterator[str]:
    if written == expected:
        return
    pairs = enumerate(zip(written, expected))
    at = next((place for place, (one, other) in pairs if one != other), min(len(written), len(expected)))
    line = written.count("\n", 0, at) + 1
    yield f"the entities are not spelled as the format spells them, first at line {line} of the array"


def _integrity(export: Export) -> Iterator[str]:
    digest = hashlib.sha256(export.array.encode("utf-8")).hexdigest()
    if export.integrity.get("sha256") != digest:
        yield f"the sha256 of the entities is {digest}, not what the integrity block says"
    if export.integrity.get("counts") != {entity.name: len(entity.records) for entity in export.entities}:
        yield "the integrity block counts other records than there are"
    for entity in export.entities:
        if entity.count != len(entity.records):
            yield f"{entity.name} announces {entity.count} records and has {len(entity.records)}"


def _entity(entity: Entity) -> Iterator[str]:
    columns = [column["name"] for column in entity.columns]
    if len(set(columns)) != len(columns):
        yield f"{entity.name} announces a column twice"
    if entity.key not in columns:
        yield f"the key of {entity.name} is none of its columns"
        return
    before = None
    for number, record in enumerate(entity.records, 1):
        where = f"record {number} of {entity.name}"
        if not isinstance(record, dict):
            yield f"{where} is no object"
            return
        if list(record) != columns:
            same = sorted(record) == sorted(columns)
            yield f"{where} has the columns in another order" if same else f"{where} has other columns than announced"
            return
        wrong = False
        for name, value in record.items():
            for problem in _value(value):
                wrong = True
                yield f"{where}: {name} {problem}"
        if wrong:
            return
        if before is not None and _is_after(before, record, entity.key):
            yield f"{where} is out of key order"
        before = record


def _gone(entity: Entity, is_increment: bool) -> Iterator[str]:
    """Keys of records that are gone: where the export says differences, and in the order of their bytes."""
    if (entity.gone is not None) != is_increment:
        yield f"{entity.name} names gone records in an export of everything, or none in one of differences"
        return
    if entity.gone is None:
        return
    if not isinstance(entity.gone, list) or entity.gone_count != len(entity.gone):
        yield f"{entity.name} announces {entity.gone_count} gone records and does not name as many"
        return
    keys = [_json(key).encode("utf-8") for key in entity.gone]
    if keys != sorted(set(keys)):
        yield f"the gone records of {entity.name} are out of order, or one is there twice"
    for key in entity.gone:
        for problem in _value(key):
            yield f"a gone record of {entity.name} {problem}"


def _value(value: Any) -> Iterator[str]:
    if isinstance(value, Whole):
        if abs(value) > EXACT:
            yield "is a whole number beyond ±(2^53 − 1) without $int"
        if value.text == "-0":
            yield "is -0, which no INTEGER is"
    elif isinstance(value, Real):
        if not math.isfinite(value):
            yield "is a number that no double holds"
        elif _digits(value.text) != _digits(repr(float(value))):
            yield "is a real that is not written the shortest way"
    elif isinstance(value, dict) and len(value) == 1:
        [(tag, inside)] = value.items()
        yield from TAGS.get(tag, _unknown)(inside)
    elif not (value is None or isinstance(value, str)):
        yield "is no value of a record"
    elif value is not None and "\0" in value:
        yield "is a string with NUL"


def _digits(number: str) -> str:
    """The digits that matter, without point, exponent and zeros on either side."""
    mantissa = number.lower().partition("e")[0]
    return mantissa.replace(".", "").replace("-", "").strip("0")


def _unknown(_: Any) -> Iterator[str]:
    yield "has an unknown tag"


def _blob(inside: Any) -> Iterator[str]:
    if _bytes(inside) is None:
        yield "is no canonical base64"


def _text(inside: Any) -> Iterator[str]:
    found = _bytes(inside)
    if found is None:
        yield "is no canonical base64"
        return
    try:
        if "\0" not in found.decode("utf-8"):
            yield "is $text that could be a string"
    except UnicodeDecodeError:
        pass


def _integer(inside: Any) -> Iterator[str]:
    try:
        number = int(inside) if isinstance(inside, str) else 0
    except ValueError:
        number = 0
    if str(number) != inside or abs(number) <= EXACT or not -(2**63) <= number < 2**63:
        yield "is no $int beyond ±(2^53 − 1) in decimal"


def _real(inside: Any) -> Iterator[str]:
    if inside not in ("Infinity", "-Infinity"):
        yield "is no infinite $real"


TAGS: dict[str, Callable[[Any], Iterator[str]]] = {"$blob": _blob, "$text": _text, "$int": _integer, "$real": _real}


def _bytes(text: Any) -> bytes | None:
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError):
        return None
    return found if base64.b64encode(found).decode() == text else None


def _is_after(one: dict[str, Any], other: dict[str, Any], key: str) -> bool:
    """Whether a record must not stand before another: key first, then the other columns in their order.

    Where two numbers are equal an INTEGER comes before a REAL. The sign of zero decides nothing here.
    """
    for name in [key, *(name for name in one if name != key)]:
        a, b = _rank(one[name]), _rank(other[name])
        if a != b:
            return a > b
    return False


def _rank(value: Any) -> tuple[Any, ...]:
    """What decides in key order: storage class, then numbers by value, text and blobs by their bytes."""
    if value is None:
        return (0,)
    if isinstance(value, str):
        return (2, value.encode("utf-8"))
    if isinstance(value, dict):
        [(tag, inside)] = value.items()
        if tag == "$blob":
            return (3, _bytes(inside))
        if tag == "$text":
            return (2, _bytes(inside))
        return (1, int(inside), 0) if tag == "$int" else (1, float(inside), 1)
    return (1, int(value), 0) if isinstance(value, Whole) else (1, float(value), 1)


def canonical(entities: list[Entity]) -> str:
    """The array as the format writes it: the same content has the same bytes, so blanks and escapes are fixed."""
    parts = []
    for entity in entities:
        columns = ", ".join(_column(column) for column in entity.columns)
        records = ",".join("\n    " + _record(record) for record in entity.records)
        gone_count, gone = "", ""
        if isinstance(entity.gone, list):
            gone_count = f', "goneCount": {_json(entity.gone_count)}'
            gone = GONE + ",".join("\n    " + _json(key) for key in entity.gone) + "]"
        parts.append(
            f'{{"name": {_json(entity.name)}, "key": {_json(entity.key)}, "columns": [{columns}], '
            f'"count": {_json(entity.count)}{gone_count}{RECORDS}{records}]{gone}}}')
    return "[" + ",\n  ".join(parts) + "]"


def _column(column: dict[str, Any]) -> str:
    generated = ', "generated": true' if column.get("generated") else ""
    return f'{{"name": {_json(column["name"])}, "type": {_json(column.get("type"))}{generated}}}'


def _record(record: Any) -> str:
    if not isinstance(record, dict):
        return ""
    return "{" + ",".join(f"{_json(name)}:{_json(value)}" for name, value in record.items()) + "}"


def _json(value: Any) -> str:
    if isinstance(value, (Whole, Real)):
        return value.text
    if isinstance(value, dict):
        return _record(value)
    return json.dumps(value, ensure_ascii=False)
