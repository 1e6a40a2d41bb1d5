"""The kinds of containers of a fleet, each with the box of a single `run` that judges it."""

from __future__ import annotations

import shutil
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import CONTAINER, LOCAL, SCRATCH, Variant
from ..judgment import Box
from ..scenario import Scenario, common, execute

#: A kind that cannot be migrated, and must not be touched.
DAMAGED = "damaged"
FINISHED = "done already"


class Kinds:
    """One container of each kind, and what a single run makes of it."""

    def __init__(self, binary: Path, base: Path) -> None:
        base.mkdir()
        self.boxes = {variant.name: Box(Scenario("run", variant), binary, base) for variant in birdlog.VARIANTS}
        finished = Scenario("run", Variant("absent", "delete"), before=(("run",),), changes_nothing=True)
        self.boxes[FINISHED] = Box(finished, binary, base)
        self.folders = {name: box.template for name, box in self.boxes.items()}
        self.folders[DAMAGED] = damaged = birdlog.build(base / DAMAGED, Variant("existing", "delete"))
        (damaged / CONTAINER / LOCAL).write_bytes(b"no store")
        self.untouched = reading.listing(damaged / CONTAINER)
        self._require_refusal(binary, damaged, base / f"{DAMAGED}, by itself")

    def _require_refusal(self, binary: Path, damaged: Path, folder: Path) -> None:
        """Throws if a single run does not refuse the damaged container, or touches it."""
        shutil.copytree(damaged, folder, symlinks=True)
        done = execute([binary, "run", *common(folder)], folder)
        if done.returncode == 0:
            raise RuntimeError("a single run of the damaged container exits 0")
        if reading.listing(folder / CONTAINER) != self.untouched or any((folder / SCRATCH).iterdir()):
            raise RuntimeError("a single run touches the damaged container")
        shutil.rmtree(folder)
