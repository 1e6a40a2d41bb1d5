"""The hostile inputs of the sweeps as inputs of the fuzz targets, so that both read one corpus."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from faults.hostile import badinputs, clocks, exports, flags, layouts, manifests
from faults.hostile.badinputs.item import Item
from faults.reading import MEMORY

from .exports import probe_document
from .stores import CUT, read_files

#: The size of the largest input that a target reads; the command line reads larger ones as well.
LARGEST = 1 << 20
Inputs = dict[str, bytes]


@cache
def inputs() -> dict[str, Inputs]:
    """By target, and by name."""
    lists = {item.name: _files(item)[0] for item in badinputs.property_lists()} | flags.files()
    edits = {name: b"\x01" + content for name, content in lists.items()}
    stores = {item.name: _joined(_files(item)) for item in badinputs.stores()}
    found = {
        "binary-plist": {name: content for name, content in lists.items() if not name.startswith("plist-xml")},
        "xml-plist": {name: content for name, content in lists.items() if not name.startswith("plist-binary")},
        "json-legacy": {name: content for name, content in lists.items() if "json" in name},
        "plist-edit": edits,
        "manifest": {name: _encoded(text) for name, _, text in manifests.texts()},
        "instant": {f"clock {number}": text.encode() for number, text in enumerate(clocks.TAKEN + clocks.REFUSED)},
        "sync-events": {name: b"\xff" + _encoded(text) for name, (_, text) in layouts.event_texts().items()},
        "wal-clone": stores, "inspect": stores,
        "import": {name: b"\0" + change(probe_document()) for name, _, change in exports.changes()},
    }
    return {target: {name: content for name, content in each.items() if len(content) <= LARGEST}
            for target, each in found.items()}


def write(folder: Path) -> None:
    """One file for each input, in a folder for each target."""
    for target, each in inputs().items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, content in each.items():
            (folder / target / name.replace("/", "-").replace(" ", "-")).write_bytes(content)


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _files(item: Item) -> tuple[bytes, bytes, bytes]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        path = Path(folder) / "file"
        item.write(path)
        return read_files(path)


def _joined(files: tuple[bytes, bytes, bytes]) -> bytes:
    store, log, journal = files
    return b"\0" + store + (CUT + log + (CUT + journal if journal else b"") if log or journal else b"")
