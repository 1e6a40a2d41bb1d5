"""Seeds of the targets that read text: manifests, instants and sync events."""

from __future__ import annotations

import struct

MANIFEST = """godwit: 1
app: TrainLog
container:
  preferences:
    - Library/Preferences/com.example.trainlog.plist
  local: Library/TrainLog.store
  cloud: Library/TrainLogCloud.store
  syncEvents: Library/sync-events.jsonl   # optional
schema: ../../Migrations/trainlog
entities:
  Workout: { key: id, modified: updatedAt }
  ExerciseSet: { key: id, modified: { column: at, as: unixMilliseconds }, belongsTo: { workoutId: { entity: Workout, by: id } } }
  FavoriteExercise: { key: exerciseId, modified: createdAt, conflict: keepEarliest }
  UserSettings: { key: id, modified: updatedAt, singleton: singleton }
legacy:
  settings:
    - key: weightUnit
      into: UserSettings.weightUnitRaw
      values: { kg: kg, lb: lb, "1": 0x1F }
      default: kg
  favorites:
    - { key: favoriteExercises, into: FavoriteExercise.exerciseId, encoding: csv }
  localOnly: [hasSeenTutorial, 'it''s']
copy: { flag: cloudMigrationDone }
export:
  schemaVersion: 1
  freshness: { warnAfter: 12h, errorAfter: 48h }
history: { keep: 10 }
"""

SMALL = ('{"godwit": 1, "app": "a", "container": {"preferences": ["p"], "local": "l", "cloud": "c"}, "schema": "s", '
         '"entities": {"E": {"key": "id"}}}')


def manifest_seeds() -> dict[str, bytes]:
    core_data = MANIFEST.replace("local: Library/TrainLog.store", "local: { path: a.store, layout: coreData }")
    return {
        "full": MANIFEST.encode(),
        "json": SMALL.encode(),
        "windows": MANIFEST.replace("\n", "\r\n").encode(),
        "core-data": core_data.encode(),
        "marks": b"\xef\xbb\xbf--- # one document\n" + SMALL.encode() + b"\n...\n",
        "quotes": SMALL.replace('"a"', '"\\x41\\u00e9 \\\n  b"').encode(),
        "lines": SMALL.replace('"s"', "a plain\n  text").encode(),
        "anchor": SMALL.replace('"s"', "&x s").encode(),
        "cycle": SMALL.replace('{"key": "id"}', '{"key": "id", "belongsTo": {"x": "E"}}').encode(),
    }


def instant_seeds() -> dict[str, bytes]:
    texts = ["2026-03-01T07:15:00.123+09:00", "2024-02-29", "0000-01-01 00:00Z", "9999-12-31t23:59:59,9-2359",
             "1970-01-01T00:00:00.999999999999999999999z", "2026-03-01T07:15+05"]
    pairs = [(1.7e9 + 0.123, 1.7e9), (-0.5, -1e-5), (1e12, -1e12), (0.0001, 9.999999999999999e-05)]
    seeds = {f"text-{place}": text.encode() for place, text in enumerate(texts)}
    return seeds | {f"reals-{place}": b"#" + struct.pack(">dd", *pair) for place, pair in enumerate(pairs)}


def event_seeds() -> dict[str, bytes]:
    line = b'{"type":"%s","startedAt":"2026-03-01T07:15:00Z","endedAt":%s,"succeeded":%s,"error":%s}\n'
    done = line % (b"setup", b'"2026-03-01T07:15:01Z"', b"true", b"null")
    failed = line % (b"import", b'"2026-03-01T07:15:01Z"', b"false", b'{"domain":"CKErrorDomain","code":9}')
    return {
        "done": b"\xff" + done + failed,
        "torn": b"\x05" + done + failed[:40],
        "mark": b"\x40\xef\xbb\xbf" + done.replace(b"\n", b"\r\n") + b"\n \t\n" + failed,
        "wrong": b"\xff" + b'{"type":"upload"}\n[]\n7\n{"type":"setup","startedAt":1}\n{"type":\n',
        "more": b"\x80" + b'{"type":"export","startedAt":"2026-03-01","endedAt":null,"more":[1,{"a":1e400}]}',
    }
