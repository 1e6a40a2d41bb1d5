"""Checks JSON reports against docs/schema/report-1.schema.json, and against rules that no schema can state."""

from __future__ import annotations

import json
from typing import Any, Iterator

KINDS = {
    "run": "runReport", "exports": "freshnessReport", "leftAlone": "forgetReport", "freshness": "exportReport",
    "document": "importReport", "phases": "statusReport", "runs": "historyReport", "containers": "fleetReport",
    "stores": "inspectReport", "written": "initReport", "messageType": "error",
}
"""A member that only one of the reports has, and the definition of that report."""


def problems(content: bytes) -> Iterator[str]:
    """What is wrong with a report, or with the error object."""
    try:
        text = content.decode("utf-8")
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except ValueError as error:
        yield f"is no JSON: {error}"
        return
    kind = next((KINDS[name] for name in KINDS if isinstance(value, dict) and name in value), None)
    if kind is None:
        yield "is none of the reports, and no error"
        return
    # Imported here, since it needs the package jsonschema, which may be missing.
    from exports import schemas

    unfitting = list(schemas.problems(kind, value, "report-1"))
    yield from unfitting
    yield from _spelling(text, is_error=kind == "error")
    if not unfitting and kind in ("runReport", "error"):
        yield from _sums(value.get("report", {}) if kind == "error" else value)
    if not unfitting and kind == "fleetReport":
        yield from _fleet_sums(value)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name is there twice in one object")
    return value


def _spelling(text: str, is_error: bool) -> Iterator[str]:
    """Order, escapes and the end, as the contract says."""
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield "does not end with one newline"
    if any((ord(c) < 0x20 and c != "\n") or 0x7F <= ord(c) <= 0x9F for c in text):
        yield "has a control character that is not escaped"
    if "\\/" in text:
        yield "has an escaped slash"
    if is_error and text.count("\n") != 1:
        yield "is an error of more than one line"
    if not is_error and list(_names(text)) != sorted(_names(text)):
        yield "has members that are not in the order of their names"


def _names(text: str) -> list[str]:
    return list(json.loads(text))


def _sums(report: dict[str, Any]) -> Iterator[str]:
    """The sums that the contract promises."""
    legacy = report.get("legacy", {})
    if sum(legacy.get("buckets", {}).values()) != len(legacy.get("ledger", [])):
        yield "the buckets do not add up to the ledger"
    for group in (report.get("dedupe", {}), report.get("copy", {}).get("dedupe", {})):
        if group.get("groupCount", 0) < len(group.get("groups", [])):
            yield "there are more groups than groupCount says"
    for entity in report.get("copy", {}).get("entities", []):
        parts = ("inserted", "updated", "equal", "cloudKept", "duplicates")
        if entity["local"] != sum(entity[name] for name in parts):
            yield f"the numbers of an entity do not add up to its local records ({entity['local']})"


def _fleet_sums(report: dict[str, Any]) -> Iterator[str]:
    """The order and the sums of a fleet."""
    names = [entry["container"] for entry in report["containers"]]
    if names != sorted(names, key=str.encode):
        yield "the containers are not in the order of their names"
    for verdict, count in report["counts"].items():
        found = sum(entry["verdict"] == verdict for entry in report["containers"])
        if found != count:
            yield f"{count} containers are counted as {verdict}, and {found} are"
    if sum(report["counts"].values()) != len(names):
        yield "the counts do not add up to the containers"
    times = [timing["durationMilliseconds"] for timing in report.get("slowest", [])]
    if times != sorted(times, reverse=True):
        yield "the slowest are not in the order of their times"
    shard = report.get("shard")
    if shard and shard["index"] > shard["count"]:
        yield "there is no such shard"
