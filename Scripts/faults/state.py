"""What a command may change in a container, read without asking Godwit."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from . import reading
from .birdlog import CLOUD, CONTAINER, LOCAL, OUTPUT
from .scenario import INDEX, REPORTS


def content(product: Path, folder: Path) -> object:
    """What must be the same in every run: all bytes of a document; of a store the rows, and that it is Godwit's.

    The pages of a store differ, since the run has an id of its own; a report on a run has it, too, and what looks at a
    container names the folder it is in.
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
    """A file of a folder as it is to be compared."""
    text = path.read_bytes()
    if path.suffix in (".service", ".timer"):
        return re.sub(os.fsencode(folder.parent) + rb"/(point|cut|template)-[^/ ]*", b"BOX", text)
    if path.name == INDEX:
        # How many attempts there were depends on how many were stopped; each line is whole.
        return b"index" if all("outcome" in json.loads(line) for line in text.splitlines()) else text
    # The comments at a draft's head say where the container is, and break their lines accordingly.
    return text[max(0, text.find(b"godwit: 1")):]


def made(folder: Path, product: str | None) -> Path | None:
    """What a command has made, if it is there; a folder counts as soon as there is a file in it."""
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
