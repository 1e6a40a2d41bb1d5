"""Seeds of the target for imports: export documents, plain, in lines and packed."""

from __future__ import annotations

import gzip
import hashlib

ENTITIES = """[{"name": "Workout", "key": "id",
   "columns": [{"name": "id", "type": "TEXT"}, {"name": "n \\"x", "type": ""},
     {"name": "g", "type": "INT", "generated": true}],
   "count": 3,
   "records": [
    {"id":"w1","n \\"x":1.5,"g":{"$int":"9007199254740993"}},
    {"id":{"$text":"AP8="},"n \\"x":{"$blob":"AAEC"},"g":-7},
    {"id":"b\u00e4nk \\u001b\\ud83d\\udc26\\n","n \\"x":{"$real":"-Infinity"},"g":null}]},
  {"name": "Empty", "key": "k", "columns": [{"name": "k", "type": "BLOB"}], "count": 0, "records": []}]"""

HEADER = ('"$schema": "urn:godwit:schema:export:1", "format": "godwit-export", "formatVersion": 1, "minReaderVersion": '
          '1, %s"app": "TrainLog", "schemaVersion": 1, "generator": {"name": "godwit", "version": "0.1.0"}, '
          '"exportedAt": "2026-11-21T06:00:00.000Z", "exportId": "00000000-0000-4000-8000-000000000001", '
          '"source": {"store": "cloud", "file": "a.store", "schemaMigration": 3}, "freshness": {"x": [1, {}]},\n ')


def document(entities: str, counts: str) -> bytes:
    digest = hashlib.sha256(entities.encode()).hexdigest()
    end = f'"entities": {entities},\n "integrity": {{"counts": {{{counts}}}, "sha256": "{digest}"}}}}\n'
    return ("{" + HEADER % "" + end).encode()


def probe_document() -> bytes:
    """An export of the app whose exports the hostile sweep damages."""
    columns = ", ".join(f'{{"name": "{name}", "type": "{kind}"}}' for name, kind in (
        ("id", "TEXT"), ("title", "TEXT"), ("added", "REAL"), ("rank", "INTEGER"), ("data", "BLOB")))
    records = ",\n    ".join(f'{{"id":"f000{n}","title":"title {n}","added":{n}.5,"rank":{n},"data":null}}' for n in range(3))
    settings = '"columns": [{"name": "id", "type": "INTEGER"}], "count": 1,\n   "records": [\n    {"id":1}]'
    return document(
        f'[{{"name": "favourites", "key": "id",\n   "columns": [{columns}],\n   "count": 3,\n   "records": [\n    {records}]}},\n'
        f'  {{"name": "settings", "key": "id",\n   {settings}}}]', '"favourites": 3, "settings": 1')


def lines() -> bytes:
    """One entity with two records, as JSON lines; the hash is that of the plain layout."""
    entity = '{"name": "E", "key": "k", "columns": [{"name": "k", "type": ""}], "count": 2'
    records = ['{"k":1}', '{"k":"a"}']
    plain = f'[{entity},\n   "records": [\n    {records[0]},\n    {records[1]}]}}]'
    digest = hashlib.sha256(plain.encode()).hexdigest()
    header = "{" + (HEADER % '"layout": "lines", ').replace("\n", "") + '"entities": [' + entity + "}]}"
    rows = [f'{{"entity":"E","record":{record}}}' for record in records]
    end = f'{{"integrity": {{"counts": {{"E": 2}}, "sha256": "{digest}"}}}}'
    return "\n".join([header, *rows, end, ""]).encode()


def import_seeds() -> dict[str, bytes]:
    """The first byte: 1 corrects the hash, 2 packs in two gzip members, 4 puts blanks before; the rest is where to cut."""
    full = document(ENTITIES, '"Workout": 3, "Empty": 0')
    packed = gzip.compress(full, mtime=0)
    return {
        "document": b"\x01" + full, "packed-later": b"\x83" + full, "across": b"\x45" + full,
        "none": b"\x01" + document("[]", ""), "lines": b"\x00" + lines(), "lines-packed": b"\x42" + lines(),
        "gzip": b"\x00" + packed,
        "members": b"\x00" + gzip.compress(full[:90], mtime=0) + gzip.compress(full[90:], mtime=0),
        "cut": b"\x00" + packed[:-9], "junk": b"\x00" + packed + b"junk",
        "wrong-hash": b"\x00" + full.replace(b"w1", b"w2"),
        "newer": b"\x01" + full.replace(b'"minReaderVersion": 1', b'"minReaderVersion": 2'),
    }
