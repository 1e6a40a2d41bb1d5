"""The containers of a fleet: copies of the sample app's, some damaged, and what one single run makes of each kind."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from faults.hostile import apps

from . import stores
from .bounds import said

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "SampleData" / "trainlog"
SUPPORT = Path("Library") / "Application Support"
LOCAL, CLOUD = SUPPORT / "TrainLog.store", SUPPORT / "TrainLogCloud.store"

#: A kind and where its containers come from. One in ten was stopped before its flag, one in ten meets a second device.
KINDS = {
    "first launch": SAMPLE / "container",
    "two devices": SAMPLE / "scenarios" / "two-devices" / "container",
    "interrupted": SAMPLE / "scenarios" / "interrupted" / "container",
}
DAMAGED = "damaged"


def kind(number: int, damaged_every: int) -> str:
    """The kind of the container with this number, counted from 1."""
    if damaged_every and number % damaged_every == 0:
        return DAMAGED
    return {3: "two devices", 7: "interrupted"}.get(number % 10, "first launch")


def name(number: int) -> str:
    """A name with spaces, and a letter that is not in ASCII, 100 to a folder."""
    return f"büro {number // 100:02d}/diary {number:05d}"


def names(count: int, damaged_every: int) -> dict[str, str]:
    """All containers, each with its kind."""
    return {name(number): kind(number, damaged_every) for number in range(1, count + 1)}


def write_manifest(folder: Path) -> Path:
    """The sample's manifest and schema files, in a folder of their own."""
    return apps.write_manifest("trainlog", folder, "Migrations")


def make(folder: Path, which: str) -> None:
    """Makes one container; a damaged one has a file that is not a store."""
    shutil.copytree(KINDS.get(which, KINDS["first launch"]), folder)
    if which == DAMAGED:
        (folder / LOCAL).write_bytes(b"This was a store once. " * 500)


@dataclass(frozen=True)
class Model:
    """What one single `godwit run` made of a kind: the contents of both stores, and what was in its history before."""

    local: str
    cloud: str
    records: int
    earlier_runs: int


def model(which: str, folder: Path, binary: Path, manifest: Path, environment: dict[str, str]) -> Model:
    """Runs one container of a kind by itself."""
    make(folder, which)
    before = stores.runs(folder / LOCAL)
    said([binary, "run", "-m", manifest, "-c", folder, "-q"], environment, patience=120)
    return Model(
        local=stores.digest(folder / LOCAL), cloud=stores.digest(folder / CLOUD),
        records=stores.records(folder / CLOUD), earlier_runs=before)
