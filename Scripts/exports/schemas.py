"""The schemas of docs/schema, and validators made of them that work without a network."""

from __future__ import annotations

import datetime
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Iterator

import jsonschema

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schema"
UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
DATE_TIME = re.compile(r"(\d{4})(-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII)

# The package checks these two only if further packages are installed; here they are always checked.
FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("uuid")
def is_uuid(value: object) -> bool:
    """RFC 4122, section 3."""
    return not isinstance(value, str) or UUID.fullmatch(value) is not None


@FORMATS.checks("date-time")
def is_date_time(value: object) -> bool:
    """RFC 3339, section 5.6, without leap seconds. Python does not know the year 0, a leap year: 2000 replaces it."""
    if not isinstance(value, str):
        return True
    found = DATE_TIME.fullmatch(value)
    if found is None:
        return False
    try:
        datetime.datetime.fromisoformat(("2000" if found[1] == "0000" else found[1]) + found[2])
    except ValueError:
        return False
    return True


@cache
def load(name: str) -> dict[str, Any]:
    """A schema by the name of its file: `export-1` or `export-lines-1`."""
    with open(FOLDER / f"{name}.schema.json", encoding="utf-8") as file:
        return json.load(file)


@cache
def validator(definition: str, name: str = "export-1") -> Any:
    """A validator of a whole schema (no definition), or of one definition of it, such as `recordLine`."""
    schema = load(name)
    if definition:
        schema = {"$schema": schema["$schema"], "$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, format_checker=FORMATS)


def unfitting(definition: str, value: Any) -> Iterator[str]:
    """As `problems`, without records and record lines that were good before.

    Tests export the same records hundreds of times; validating them again each time takes minutes.
    """
    new: set[str] = set()
    if definition == "recordLine":
        if not _is_new(value, new):
            return
        rest = value
    elif isinstance(value, dict) and isinstance(value.get("entities"), list):
        rest = {**value, "entities": [_without_known(entity, new) for entity in value["entities"]]}
    else:
        rest = value
    if next(problems(definition, rest), None) is None:
        _KNOWN.update(new)
        return
    # All of it, so that the paths in the messages are right.
    yield from problems(definition, value)


_KNOWN: set[str] = set()


def _is_new(value: Any, new: set[str]) -> bool:
    text = json.dumps(value)
    if text in _KNOWN:
        return False
    if len(text) < 4096:
        new.add(text)
    return True


def _without_known(entity: Any, new: set[str]) -> Any:
    if not isinstance(entity, dict) or not isinstance(entity.get("records"), list):
        return entity
    return {**entity, "records": [record for record in entity["records"] if _is_new(record, new)]}


def problems(definition: str, value: Any, name: str = "export-1") -> Iterator[str]:
    """What does not fit a schema: where, and by which rule; never the value."""
    for error in validator(definition, name).iter_errors(value):
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
        rule = error.validator_value
        detail = f" {json.dumps(rule, ensure_ascii=False)}" if isinstance(rule, (int, str, float)) else ""
        if error.validator in ("required", "additionalProperties", "enum"):
            detail = f" {json.dumps(_names(error), ensure_ascii=False)}"
        yield f"schema: ${place} breaks {error.validator}{detail[:200]}"


def _names(error: Any) -> list[str]:
    if error.validator == "enum":
        return list(error.validator_value)
    members = error.instance if isinstance(error.instance, dict) else {}
    if error.validator == "required":
        return [name for name in error.validator_value if name not in members]
    return [name for name in members if name not in error.schema.get("properties", {})]
