"""The folder of a fleet, and what must be true of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import APP, CLOUD, CONTAINER, LOCAL, OUTPUT, SCRATCH
from .kinds import DAMAGED, Kinds

FLEET = "fleet"


@dataclass(frozen=True)
class Scene:
    """Containers of all kinds below one folder, next to manifest, scratch and output."""

    root: Path
    kinds: Kinds
    #: The kind of each container by its name.
    members: dict[str, str]

    @staticmethod
    def build(root: Path, kinds: Kinds, count: int) -> "Scene":
        """Makes so many containers, of the kinds in turn."""
        members: dict[str, str] = {}
        names = list(kinds.folders)
        for number in range(count):
            kind = names[number % len(names)]
            target = root / FLEET / f"{number:03d}"
            shutil.copytree(kinds.folders[kind] / CONTAINER, target / CONTAINER)
            members[f"{target.name}/{CONTAINER}"] = kind
        shutil.copytree(kinds.folders[names[0]] / APP, root / APP)
        for name in (SCRATCH, OUTPUT):
            (root / name).mkdir()
        return Scene(root, kinds, members)

    def copy(self, root: Path) -> "Scene":
        """The same, not yet begun."""
        shutil.copytree(self.root, root, symlinks=True)
        return Scene(root, self.kinds, self.members)

    def discard(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def argv(self, binary: Path, *options: str) -> list[str]:
        return [str(binary), "run", "--all", FLEET, "-m", f"{APP}/godwit.yaml", "--now", birdlog.NOW, *options]

    def journal(self, name: str) -> Path:
        return self.root / OUTPUT / name

    @property
    def names(self) -> set[str]:
        return set(self.members)

    @property
    def failing(self) -> frozenset[str]:
        """The containers that fail in every pass."""
        return frozenset(name for name, kind in self.members.items() if kind == DAMAGED)

    def faults_of(self, name: str) -> list[str]:
        """The differences between a container and what a single run makes of it."""
        kind, folder = self.members[name], (self.root / FLEET / name).parent
        if kind == DAMAGED:
            is_same = reading.listing(folder / CONTAINER) == self.kinds.untouched
            return [] if is_same else [f"{name} is damaged, and was touched"]
        faults = self.kinds.boxes[kind].faults_at_end(folder)
        runs = 0 if faults else max(reading.completed_runs(folder / CONTAINER / store) for store in (LOCAL, CLOUD))
        faults += [f"{runs} runs say that they did it"] if runs > 1 else []
        return [f"{name} ({kind}): {fault}" for fault in faults]

    def faults_at_end(self) -> list[str]:
        """What is wrong with any container when no process works any more."""
        faults = [fault for name in sorted(self.members) for fault in self.faults_of(name)]
        return faults + [f"left behind: {path}" for path in reading.leftovers(self.root)]
