"""Property lists from JSON.

`90` is an integer and `90.0` a real; there is no null, which property lists don't have. What JSON lacks is
written as an object with a single key:

    {"$date": "2026-11-20T21:14:03Z"}    a date
    {"$data": "base64"}                  data
    {"$json": ...}                       data that holds this JSON, as an app's encoder writes it
    {"$archive": ["a", "b"]}             data that holds a keyed archive of an array of texts
    {"$csv": ["a", "b"]}                 one text with commas between
    {"$name": "home"}                    the text of a name: the UUID of a record
"""

import base64
import json
import plistlib
from datetime import datetime
from pathlib import Path
from typing import Any, Callable

Naming = Callable[[str], str]


def property_list_bytes(source: Path, naming: Naming = str, xml: bool = False) -> bytes:
    """The property list of a JSON file; keys are sorted, so their order in the file is free."""

    def read(pairs: list) -> Any:
        return _object(pairs, naming)

    try:
        root = json.loads(source.read_text(encoding="utf-8"), object_pairs_hook=read)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
    if not isinstance(root, dict):
        raise ValueError(f"{source}: a preferences file holds a dictionary")
    return plistlib.dumps(root, fmt=plistlib.FMT_XML if xml else plistlib.FMT_BINARY, sort_keys=True)


def keyed_archive(texts: list) -> bytes:
    """What NSKeyedArchiver makes of an array of texts, each of them stored once."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("an archive holds a list of texts")
    objects: list = ["$null", {}]
    places = {}
    for text in texts:
        if text not in places:
            places[text] = len(objects)
            objects.append(text)
    class_place = len(objects)
    objects.append({"$classes": ["NSArray", "NSObject"], "$classname": "NSArray"})
    objects[1] = {"$class": plistlib.UID(class_place), "NS.objects": [plistlib.UID(places[text]) for text in texts]}
    archive = {
        "$archiver": "NSKeyedArchiver",
        "$objects": objects,
        "$top": {"root": plistlib.UID(1)},
        "$version": 100000,
    }
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=True)


def _object(pairs: list, naming: Naming) -> Any:
    keys = [key for key, _ in pairs]
    for key, value in pairs:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key} is there twice")
        if value is None:
            raise ValueError(f"the key {key} is null; leave it out")
    if keys == ["$date"]:
        return datetime.strptime(pairs[0][1], "%Y-%m-%dT%H:%M:%SZ")
    if keys == ["$data"]:
        return base64.b64decode(pairs[0][1], validate=True)
    if keys == ["$json"]:
        return json.dumps(pairs[0][1], ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    if keys == ["$archive"]:
        return keyed_archive(pairs[0][1])
    if keys == ["$csv"]:
        return ",".join(pairs[0][1])
    if keys == ["$name"]:
        return naming(pairs[0][1])
    return dict(pairs)
