"""Writes inputs of the fuzz targets.

    Scripts/fuzz-seeds [FOLDER]            the seeds: small, valid or nearly so; default: Tests/Fuzz/Corpus
    Scripts/fuzz-seeds --hostile FOLDER    the hostile inputs that `Scripts/fault hostile` tries on the command line

All content is invented. Stores and logs contain SQLite's version and random salts, so their bytes differ from run to run.
Seeds that fuzzing found are in the same folders, under names that this script does not use.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import coredata, exports, hostile, lists, stores, texts

MAKERS = {
    "binary-plist": lists.binary_seeds, "xml-plist": lists.xml_seeds, "json-legacy": lists.json_seeds,
    "favorites": lists.favorite_seeds, "plist-edit": lists.edit_seeds, "manifest": texts.manifest_seeds,
    "instant": texts.instant_seeds, "sync-events": texts.event_seeds, "wal-clone": stores.store_seeds,
    "core-data": coredata.core_data_seeds, "inspect": stores.inspect_seeds, "import": exports.import_seeds,
}


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--hostile"] and len(arguments) == 2:
        hostile.write(Path(arguments[1]))
        return 0
    if len(arguments) > 1 or arguments and arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2] / "Tests" / "Fuzz" / "Corpus"
    for target, make in MAKERS.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, content in make().items():
            (folder / target / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
