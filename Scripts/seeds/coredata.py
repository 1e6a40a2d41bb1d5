"""Seeds of the target for Core Data: a model, metadata, and rows as lines of text."""

from __future__ import annotations

import plistlib
import zlib

from .stores import CUT


def model_archive(entities: dict[str, dict[str, object]]) -> bytes:
    """The model as Core Data archives it: by entity its properties, a number for an attribute, a name for a target."""
    objects: list[object] = ["$null"]
    places: dict[object, plistlib.UID] = {}

    def add(key: object, value: object) -> plistlib.UID:
        if key not in places:
            places[key] = plistlib.UID(len(objects))
            objects.append(value)
        return places[key]

    def kind(name: str) -> plistlib.UID:
        return add(("class", name), {"$classes": [name, "NSObject"], "$classname": name})

    for name in entities:
        add(name, {"$class": kind("NSEntityDescription"), "NSEntityName": name, "NSSuperentity": plistlib.UID(0)})
    for name, properties in entities.items():
        for title, meaning in properties.items():
            item = {"NSPropertyName": title, "NSEntity": places[name]}
            if isinstance(meaning, int):
                item |= {"$class": kind("NSAttributeDescription"), "NSAttributeType": meaning}
            else:
                target, is_many = str(meaning).rstrip("*"), str(meaning).endswith("*")
                item |= {"$class": kind("NSRelationshipDescription"), "NSDestinationEntity": places[target],
                         "_NSDestinationEntityName": target, "NSMaxCount": 0 if is_many else 1}
            add((name, title), item)
    root = add("model", {"$class": kind("NSManagedObjectModel")})
    archive = {"$archiver": "NSKeyedArchiver", "$objects": objects, "$top": {"root": root}, "$version": 100_000}
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)


CORE_DATA_LINES = """E 1 Set 0 2
E 2 Tag 0 1
E 3 Workout 0 3
E 4 Run 3 3
T ZSET Z_PK INTEGER Z_ENT INTEGER Z_OPT INTEGER ZREPS INTEGER ZWORKOUT INTEGER Z_FOK_WORKOUT INTEGER ZDATE TIMESTAMP ZID BLOB
I ZSET ZWORKOUT
R ZSET 1 1 1 10 1 2048 722787770.5 x00112233445566778899AABBCCDDEEFF
R ZSET 2 1 1 n 9 1024 722787770 x10112233445566778899AABBCCDDEEFF
T ZTAG Z_PK INTEGER Z_ENT INTEGER Z_OPT INTEGER ZTITLE VARCHAR Z3FAVORITES INTEGER
R ZTAG 1 2 1 'heavy n
T ZWORKOUT Z_PK INTEGER Z_ENT INTEGER Z_OPT INTEGER ZNAME VARCHAR ZCOST DECIMAL ZIMAGE BLOB ZDONE INTEGER ZNAME1 VARCHAR
R ZWORKOUT 1 3 1 'Legs 12.5 x01FFD8 1 n
R ZWORKOUT 2 4 2 n n x023031323334 0 'Hills
R ZWORKOUT 3 3 1 '' '7 n n n
T Z_2WORKOUTS Z_2TAGS INTEGER Z_3WORKOUTS INTEGER Z_FOK_2TAGS INTEGER
R Z_2WORKOUTS 1 1 1024
"""


def core_data_seeds() -> dict[str, bytes]:
    """The first byte: 1 no Z_MODELCACHE, 2 its bytes as they are, 4 no Z_METADATA, 8 plan; model, metadata, lines."""
    model = model_archive({
        "Set": {"reps": 300, "workout": "Workout", "date": 900, "id": 1100},
        "Tag": {"title": 700, "workouts": "Workout*"},
        "Workout": {"name": 700, "cost": 400, "image": 1000, "done": 800, "tags": "Tag*"},
        "Run": {"name1": 700},
    })
    metadata = plistlib.dumps({
        "NSPersistenceFrameworkVersion": 1414, "NSStoreModelVersionHashes": {"Set": bytes(32)},
        "NSStoreModelVersionIdentifiers": ["1.0"], "NSPersistentHistoryTrackingKey": True, "token": "hidden",
    }, fmt=plistlib.FMT_BINARY)
    lines = CORE_DATA_LINES.encode()

    def store(switches: int, rows: bytes = lines) -> bytes:
        return bytes([switches]) + model + CUT + metadata + CUT + rows

    mirrored = lines + b"""E 16001 CHANGE 0 1
T ACHANGE Z_PK INTEGER Z_ENT INTEGER
T ANSCKEVENT Z_PK INTEGER ZCLOUDKITEVENTTYPE INTEGER ZSTARTEDAT TIMESTAMP ZENDEDAT TIMESTAMP ZSUCCEEDED INTEGER
R ANSCKEVENT 1 2 722787770 n 0
T ANSCKRECORDMETADATA Z_PK INTEGER ZENTITYID INTEGER ZNEEDSUPLOAD INTEGER ZNEEDSCLOUDDELETE INTEGER
R ANSCKRECORDMETADATA 1 3 1 0
"""
    packed = zlib.compress(model)
    return {
        "model": store(0), "planned": store(8), "bare": b"\x05" + CUT + CUT + lines, "bare-planned": b"\x0d" + CUT + CUT + lines,
        "packed": b"\x02" + packed[2:-4] + CUT + metadata + CUT + lines,
        "packed-header": b"\x0a" + packed + CUT + metadata + CUT + lines,
        "mirrored": store(8, mirrored), "metadata-off": store(12),
        "inherits-itself": store(0, lines + b"E 8 A 9 0\nE 9 B 8 0\n"),
        "reflexive": store(8, lines + b"T Z_1FRIENDS Z_1FRIENDS INTEGER REFLEXIVE INTEGER\nR Z_1FRIENDS 1 2\n"),
    }
