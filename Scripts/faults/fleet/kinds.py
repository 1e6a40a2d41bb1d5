"""The kinds of containers of a fleet, and what a single `run` makes of each."""

from __future__ import annotations

import shutil
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import CONTAINER, LOCAL, SCRATCH, Variant
from ..scenario import common, execute
from ..state import State

#: Kinds that are no good: they can't be done, and must not be touched.
DAMAGED = "damaged"
FINISHED = "done already"


class Kinds:
    """One container of each kind, and the state that it is to end in."""

    def __init__(self, binary: Path, base: Path) -> None:
        self.folders: dict[str, Path] = {}
        #: What a single run leaves; of what is damaged there is nothing to read.
        self.ends: dict[str, State] = {}
        base.mkdir()
        for variant in birdlog.VARIANTS:
            self._add(variant.name, birdlog.build(base / variant.name, variant))
        finished = birdlog.build(base / FINISHED, Variant("absent", "delete"))
        execute([binary, "run", *common(finished)], finished, check=True)
        self._add(FINISHED, finished)
        damaged = birdlog.build(base / DAMAGED, Variant("existing", "delete"))
        (damaged / CONTAINER / LOCAL).write_bytes(b"no store")
        self._add(DAMAGED, damaged)
        self.untouched = reading.listing(damaged / CONTAINER)
        self._run_each(binary, base)

    def _add(self, name: str, folder: Path) -> None:
        self.folders[name] = folder

    def _run_each(self, binary: Path, base: Path) -> None:
        for name, folder in self.folders.items():
            single = base / f"{name}, by itself"
            shutil.copytree(folder, single, symlinks=True)
            done = execute([binary, "run", *common(single)], single)
            if (done.returncode == 0) == (name == DAMAGED):
                raise RuntimeError(f"a single run of what is {name} exits {done.returncode}: {done.stderr.strip()}")
            if name != DAMAGED:
                self.ends[name] = State.of(single, None)
            elif reading.listing(single / CONTAINER) != self.untouched or any((single / SCRATCH).iterdir()):
                raise RuntimeError("a single run touches what is damaged")
            shutil.rmtree(single)
