"""Looks at every container afterwards: its stores, its receipt, its own history."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import containers, judging, stores
from .bounds import said
from .containers import CLOUD, DAMAGED, LOCAL, Model


@dataclass
class Findings:
    """What was seen."""

    faults: list[str] = field(default_factory=list)
    equal: int = 0
    records: int = 0
    #: Containers with more runs than one in their history: a task was stopped while they were at work.
    run_again: int = 0


@dataclass(frozen=True)
class Look:
    """How to look."""

    root: Path
    binary: Path
    manifest: Path
    environment: Mapping[str, str]
    models: Mapping[str, Model]
    #: Containers that may have been at work when their task was stopped.
    cut: Collection[str]

    def at(self, name: str, kind: str) -> Findings:
        """One container."""
        folder = self.root / name
        if kind == DAMAGED:
            return Findings(faults=self._damaged(folder, name))
        found, model = Findings(), self.models[kind]
        for store, wanted in ((LOCAL, model.local), (CLOUD, model.cloud)):
            if not (folder / store).exists():
                found.faults.append(f"{name}: there is no {store.name}")
                return found
            if stores.digest(folder / store) != wanted:
                found.faults.append(f"{name}: {store.name} is not what one single run makes of it")
        found.records = stores.records(folder / CLOUD)
        found.equal = not found.faults
        text = said([self.binary, "history", "--json", "-m", self.manifest, "-c", folder], self.environment)
        runs = self._new_runs(json.loads(text)["runs"], model)
        found.run_again = len(runs) > 1
        faults = judging.history(runs, stores.copy_receipt(folder / CLOUD), name in self.cut)
        found.faults += [f"{name}: {fault}" for fault in faults]
        return found

    def _new_runs(self, runs: list[dict], model: Model) -> list[dict]:
        """Without those that were in the sample."""
        newest_last = sorted(runs, key=lambda run: run["startedAt"])
        return newest_last[model.earlier_runs:]

    def _damaged(self, folder: Path, name: str) -> list[str]:
        """The damaged container must be refused, and not changed."""
        wanted = b"This was a store once. " * 500
        there = sorted(path.name for path in (folder / containers.SUPPORT).iterdir())
        if (folder / LOCAL).read_bytes() != wanted or any("Cloud" in each for each in there):
            return [f"{name}: is damaged, and was written to"]
        return []


def at_all(look: Look, names: Mapping[str, str]) -> Findings:
    """All containers."""
    total = Findings()
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for found in pool.map(lambda item: look.at(*item), names.items()):
            total.faults += found.faults
            total.equal += found.equal
            total.records += found.records
            total.run_again += found.run_again
    return total
