"""Looks at each export: valid by the independent reader, one moment of the store, no older than it says, restorable."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

from exports import command, document, packing
from exports.errors import Invalid

from .. import birdlog
from ..outcome import Outcome
from ..scenario import execute
from .writer import LEDGER, NUMBER, State

INDEX = "exports.jsonl"


class Proof:
    """What was looked at so far."""

    def __init__(self, binary: Path, folder: Path, exports: Path, outcome: Outcome) -> None:
        self.binary, self.folder, self.exports, self.outcome = binary, folder, exports, outcome
        self.seen: set[str] = set()
        self.verified = self.restored = 0
        #: When the newest export so far was begun, and the number of its last transaction.
        self.newest = ("", 0)

    def look(self) -> None:
        """Judges every export that is new, the oldest first."""
        for name in sorted(self._names() - self.seen, key=self._age):
            self.seen.add(name)
            try:
                content = (self.exports / name).read_bytes()
            except FileNotFoundError:
                continue
            self.outcome.judge(f"export {name}", self._faults(name, content))

    def _names(self) -> set[str]:
        return {name for name in os.listdir(self.exports)
                if not name.startswith((".", "latest")) and name != INDEX}

    def _age(self, name: str) -> float:
        try:
            return os.stat(self.exports / name).st_mtime
        except FileNotFoundError:
            return 0

    def _faults(self, name: str, content: bytes) -> list[str]:
        _, faults = command.verify_bytes(content)
        if faults:
            return faults
        self.verified += 1
        export = document.take_apart(packing.unpack(content))
        moment, faults = shown(export)
        if moment:
            at, number = self.newest
            if export.header["exportedAt"] >= at and moment.number < number:
                faults.append(f"it shows transaction {moment.number}, an earlier export {number}")
            self.newest = max(self.newest, (export.header["exportedAt"], moment.number))
        return faults + self._restoring(name, moment)

    def _restoring(self, name: str, moment: State | None) -> list[str]:
        """A restore must come to the very same moment."""
        target = self.folder / "restored" / name
        target.parent.mkdir(exist_ok=True)
        done = execute([self.binary, "import", self.exports / name, "-o", target, "-q",
                        "-m", self.folder / birdlog.APP / "godwit.yaml"], self.folder)
        if done.returncode != 0:
            return [f"import exits {done.returncode}: {done.stderr.strip()}"]
        with sqlite3.connect(target) as store:
            count, total = store.execute("SELECT count(*), sum(seen) FROM Sighting").fetchone()
        store.close()
        target.unlink()
        self.restored += 1
        return [] if moment and (count, total) == moment[:2] else [f"the restored store has {count} and {total}"]

    def newest_number(self) -> int | None:
        """The number of the last transaction that the link's export shows."""
        try:
            export = document.take_apart(packing.unpack((self.exports / "latest").read_bytes()))
        except (OSError, Invalid):
            return None
        moment, _ = shown(export)
        return moment.number if moment else None

    def faults_of_folder(self) -> list[str]:
        """At any moment the link must refer to a whole export, and the index have whole lines."""
        faults = []
        link = self.exports / "latest"
        if link.is_symlink():
            try:
                content = link.read_bytes()
                faults += command.verify_bytes(content)[1]
            except OSError as error:
                faults.append(f"the link refers to a missing export: {error.strerror}")
        index = self.exports / INDEX
        if index.exists():
            for line in index.read_text().splitlines():
                try:
                    json.loads(line)
                except ValueError:
                    faults.append(f"a line of the index that is none: {line[:80]}")
        return faults


def shown(export: document.Export) -> tuple[State | None, list[str]]:
    """The moment that an export shows, and what in it is of another one."""
    species, sightings = ({}, [])
    for entity in export.entities:
        if entity.name == "Species":
            species = {record["id"]: record for record in entity.records}
        if entity.name == "Sighting":
            sightings = entity.records
    if LEDGER not in species or NUMBER not in species:
        return None, ["the ledger is not in it"]
    moment = State(len(sightings), sum(int(record["seen"]) for record in sightings), int(species[NUMBER]["name"]))
    said = (int(species[LEDGER]["name"]), int(species[LEDGER]["weight"]))
    return moment, [] if said == moment[:2] else [f"it shows {moment[:2]}, its ledger says {said}: two moments at once"]
