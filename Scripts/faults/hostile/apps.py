"""The two apps whose containers are made hostile: the sample, and one made for probing."""

from __future__ import annotations

import plistlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .badinputs.storemaking import MARK, SCHEMA, store

REPOSITORY = Path(__file__).resolve().parents[3]

PROBE_MANIFEST = """godwit: 1
app: Probe
container:
  preferences: [Library/Preferences/com.example.probe.plist]
  local: Library/Application Support/Probe.store
  cloud: Library/Application Support/ProbeCloud.store
  syncEvents: Library/Application Support/sync-events.jsonl
schema: Migrations
entities:
  favourites: { key: id, modified: { column: added, as: coreData } }
  settings: { key: id, singleton: "1" }
  preferences: { key: id, modified: updatedAt, singleton: only }
legacy:
  settings:
    - { key: k, into: preferences.k }
    - { key: s, into: preferences.s }
    - { key: r, into: preferences.r }
    - { key: d, into: preferences.d }
    - { key: i, into: preferences.i }
    - { key: n, into: preferences.n }
    - { key: blob, into: preferences.blob }
    - { key: archived, into: preferences.archived }
    - { key: ratio, into: preferences.ratio }
    - { key: sort, into: preferences.sort }
    - { key: sortOrder, into: preferences.sortOrder }
    - { key: lastOpened, into: preferences.lastOpened }
  favorites:
    - { key: favourites, into: favourites.id, mode: merge }
"""

PROBE_PREFERENCES = """CREATE TABLE preferences(id TEXT PRIMARY KEY, k TEXT, s TEXT, r REAL, d TEXT, i INTEGER, n TEXT,
  blob BLOB, archived TEXT, ratio REAL, sort INTEGER, sortOrder INTEGER, lastOpened TEXT, updatedAt TEXT);
"""


@dataclass(frozen=True)
class App:
    """Where an app keeps its files inside a container."""

    name: str
    plist: str
    local: str
    cloud: str

    def build(self, home: Path) -> None:
        """Writes manifest, migrations and a good container into a folder."""
        if self is PROBE:
            _build_probe(home)
        elif self is SWIFTDATA:
            build_sample("trainlog", home, "Migrations", "container-swiftdata", "godwit-swiftdata.yaml")
        else:
            build_sample("trainlog", home, "Migrations")


PROBE = App(
    "probe", "Library/Preferences/com.example.probe.plist", "Library/Application Support/Probe.store",
    "Library/Application Support/ProbeCloud.store")
TRAINLOG = App(
    "trainlog", "Library/Preferences/com.example.trainlog.plist", "Library/Application Support/TrainLog.store",
    "Library/Application Support/TrainLogCloud.store")
#: TrainLog from a release that kept its diary with SwiftData.
SWIFTDATA = App("swiftdata", TRAINLOG.plist, "Library/Application Support/default.store", TRAINLOG.cloud)


def build_sample(
    app: str, home: Path, schema: str, container: str = "container", manifest: str = "godwit.yaml"
) -> None:
    """Copies a sample app into a folder: manifest, schema files and a container."""
    shutil.copytree(REPOSITORY / "SampleData" / app / container, home / "container")
    write_manifest(app, home, schema, manifest)


def write_manifest(app: str, home: Path, schema: str, manifest: str = "godwit.yaml") -> Path:
    """Copies a sample app's manifest and schema files into a folder."""
    shutil.copytree(REPOSITORY / "Migrations" / app, home / schema)
    text = (REPOSITORY / "SampleData" / app / manifest).read_text(encoding="utf-8")
    path = home / "godwit.yaml"
    path.write_text(re.sub(r"^schema:.*$", f"schema: {schema}", text, flags=re.M), encoding="utf-8")
    return path


def _build_probe(home: Path) -> None:
    (home / "godwit.yaml").write_text(PROBE_MANIFEST)
    (home / "Migrations").mkdir()
    (home / "Migrations/V0001__create_store.sql").write_text(SCHEMA)
    (home / "Migrations/V0002__preferences.sql").write_text(PROBE_PREFERENCES)
    for folder in ["Library/Preferences", "Library/Application Support"]:
        (home / "container" / folder).mkdir(parents=True)
    with open(home / "container" / PROBE.plist, "wb") as file:
        plistlib.dump({"k": MARK + "value", "favourites": ["legacy-1"]}, file, fmt=plistlib.FMT_BINARY)
    store(home / "container" / PROBE.local).close()
