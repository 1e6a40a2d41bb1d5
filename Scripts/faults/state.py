"""Reads what a command may change in a container, without asking Godwit."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from . import coredata, reading
from .birdlog import CLOUD, CONTAINER, ENTITIES, LOCAL, OUTPUT, SINGLETON, SINGLETON_KEY, Variant
from .scenario import INDEX, REPORTS


def content(product: Path, folder: Path) -> object:
    """What must be the same in every run: all bytes of a document; of a store the rows and the schema files.

    The pages of a store differ, since each run has its own id; a report on a run has the id as well, and an inspection
    names the folder of the container.
    """
    if product.is_dir():
        return {path.relative_to(product): _file(path, folder) for path in sorted(product.rglob("*")) if path.is_file()}
    if product.name.endswith(".store"):
        return reading.rows(product), reading.migrations(product), reading.is_sound(product)
    if product.name in REPORTS:
        # Where a line breaks depends on the folder's name.
        text = b" ".join(product.read_bytes().split())
        text = re.sub(os.fsencode(folder.parent) + rb"/(point|cut|template)-[^/]*", b"BOX", text)
        return re.sub(rb'"(planSha256|id|durationMilliseconds)" : [^, ]*', rb"\1", text)
    return product.read_bytes()


def _file(path: Path, folder: Path) -> bytes:
    """A file of a folder, without what differs from run to run."""
    text = path.read_bytes()
    if path.suffix in (".service", ".timer"):
        return re.sub(os.fsencode(folder.parent) + rb"/(point|cut|template)-[^/ ]*", b"BOX", text)
    if path.name == INDEX:
        # The number of attempts depends on how many were stopped; each line must be whole.
        return b"index" if all("outcome" in json.loads(line) for line in text.splitlines()) else text
    # The comments at the start of a draft name the path of the container, and break their lines accordingly.
    return text[max(0, text.find(b"godwit: 1")):]


def made(folder: Path, product: str | None) -> Path | None:
    """The output of a command, if it exists; a folder counts as soon as it has a file."""
    path = folder / OUTPUT / product if product else None
    if path is None or not path.exists():
        return None
    return path if path.is_file() or any(inner.is_file() for inner in path.rglob("*")) else None


@dataclass(frozen=True)
class State:
    """All that a command may change in a container, read independently."""

    local: object
    cloud: object
    removed: tuple
    changed: tuple
    receipts: tuple
    flag: bool
    preferences: object
    #: Bytes of a document; what a store or a folder holds.
    product: object

    @staticmethod
    def of(folder: Path, product: str | None) -> "State":
        container = folder / CONTAINER
        stores = [container / LOCAL, container / CLOUD]
        there = [store for store in stores if store.exists()]
        result = made(folder, product)
        return State(
            local=reading.rows(stores[0]) if stores[0].exists() else None,
            cloud=reading.rows(stores[1]) if stores[1].exists() else None,
            removed=tuple(reading.removed(store) for store in there),
            changed=tuple(reading.changed(store) for store in there),
            receipts=tuple(frozenset(reading.receipts(store)) for store in there),
            flag=reading.flag(container),
            preferences=reading.other_keys(container),
            product=content(result, folder) if result else None)

    def differences(self, other: "State") -> list[str]:
        return [name for name in self.__dataclass_fields__ if getattr(self, name) != getattr(other, name)]


def lost_records(store: Path, was: reading.Rows | None) -> list[str]:
    """Tables with fewer records than before, if `godwit_removed` does not have the others."""
    if was is None:
        return []
    now, kept = reading.rows(store), reading.removed(store)
    faults = []
    for table, before in was.items():
        set_aside = sum(count for row, count in kept.items() if row[0] == table.encode())
        if len(now.get(table, [()])) + set_aside < len(before):
            faults.append(f"{store.name}: records of {table} are gone")
    return faults


def faults_of_flag(container: Path, variant: Variant) -> list[str]:
    """If the flag is true, the cloud store must have the receipt, and each local record by its key."""
    if not (container / CLOUD).exists():
        return ["flag without a cloud store"]
    faults = [] if "copy" in reading.receipts(container / CLOUD) else ["flag without receipt"]
    local, cloud = reading.rows(container / LOCAL), reading.rows(container / CLOUD)
    if variant.layout == "coreData":
        local = coredata.records(local)
    for table, key in ENTITIES.items():
        if table not in local:
            continue
        missing = _keys(local[table], key) - _keys(cloud.get(table, [()]), key)
        # A singleton's record may have any key in the local store; in the cloud store it has the fixed key.
        if table == SINGLETON and _keys(cloud.get(table, [()]), key) == {reading.typed(reading.Text(SINGLETON_KEY))}:
            continue
        if missing:
            faults.append(f"flag though {len(missing)} records of {table} are not in the cloud store")
    return faults


def _keys(table: list[tuple], key: str) -> set:
    names = table[0]
    return {row[names.index(key)] for row in table[1:]} if key in names else set()
