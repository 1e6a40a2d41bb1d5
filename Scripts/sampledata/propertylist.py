"""Property lists from JSON.

JSON has no dates and no data, so `{"$date": "2026-11-20T21:14:03Z"}` and `{"$data": "base64"}` stand for them. `90` is
an integer and `90.0` a real. Nothing stands for null, which property lists don't have.
"""

import base64
import json
import plistlib
from datetime import datetime
from pathlib import Path
from typing import Any


def property_list_bytes(source: Path) -> bytes:
    """The binary property list that a JSON file stands for; keys are sorted, so their order in the file is free."""
    try:
        root = json.loads(source.read_text(encoding="utf-8"), object_pairs_hook=_object)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
    if not isinstance(root, dict):
        raise ValueError(f"{source}: a preferences file holds a dictionary")
    return plistlib.dumps(root, fmt=plistlib.FMT_BINARY, sort_keys=True)


def _object(pairs: list) -> Any:
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
    return dict(pairs)
