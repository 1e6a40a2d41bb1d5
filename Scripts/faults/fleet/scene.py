"""The folder of a fleet, and what must be true of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import APP, CLOUD, CONTAINER, LOCAL, OUTPUT, SCRATCH
from ..state import State
from .kinds import DAMAGED, Kinds

FLEET = "fleet"


@dataclass(frozen=True)
class Scene:
    """Containers of all kinds below one folder, beside manifest, scratch and output."""

    root: Path
    kinds: Kinds
    #: The kind of each container by its name.
    members: dict[str, str]

    @staticmethod
    def build(root: Path, kinds: Kinds, count: int) -> "Scene":
        """So many containers, the kinds in turn."""
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
        """What can't be done, however often it is tried."""
        return frozenset(name for name, kind in self.members.items() if kind == DAMAGED)

    def faults_of(self, name: str) -> list[str]:
        """What distinguishes a container from what a single run makes of it."""
        kind, folder = self.members[name], (self.root / FLEET / name).parent
        if kind == DAMAGED:
            same = reading.listing(folder / CONTAINER) == self.kinds.untouched
            return [] if same else [f"{name} is damaged, and was touched"]
        stores = [folder / CONTAINER / store for store in (LOCAL, CLOUD)]
        if broken := [store.name for store in stores if not store.exists() or not reading.is_sound(store)]:
            return [f"{name}: {broken[0]} is damaged or gone"]
        faults = [f"{name} ({kind}): {part} differs from a single run"
                  for part in State.of(folder, None).differences(self.kinds.ends[kind])]
        runs = max(reading.completed_runs(store) for store in stores)
        return faults + ([f"{name} ({kind}): {runs} runs say that they did it"] if runs > 1 else [])

    def faults_at_end(self) -> list[str]:
        """What must be true of all when nobody is at work any more."""
        faults = [fault for name in sorted(self.members) for fault in self.faults_of(name)]
        return faults + [f"left behind: {path}" for path in reading.leftovers(self.root)]
