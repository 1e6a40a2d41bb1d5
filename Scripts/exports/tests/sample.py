"""A good export, put together part by part, so that a test can spoil one of them.

Hash and counts fit unless they are set.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field

RECORDS = [
    '{"id":null,"a":1,"made":"x"}',
    '{"id":-9007199254740991,"a":null,"made":"x"}',
    '{"id":1,"a":-0.0,"made":"x"}',
    '{"id":1,"a":5e-324,"made":"x"}',
    '{"id":1,"a":4e+18,"made":"x"}',
    '{"id":1.0,"a":{"$real":"-Infinity"},"made":"x"}',
    '{"id":{"$int":"9007199254740992"},"a":9007199254740992.0,"made":"x"}',
    '{"id":{"$int":"9223372036854775807"},"a":0.1,"made":"x"}',
    '{"id":"","a":"\\"\\\\/\\n\\u0001\u007f日本🏋","made":"x"}',
    '{"id":"k","a":{"$blob":""},"made":"x"}',
    '{"id":{"$text":"/w=="},"a":{"$text":"AA=="},"made":"x"}',
    '{"id":{"$blob":"AP8="},"a":{"$blob":"AP8B"},"made":"x"}',
]
FRESHNESS = (
    '{"status": "warn", "mayBeStale": true,\n'
    '  "reasons": [{"code": "syncing", "message": "A sync was in progress."}],\n'
    '  "newestRecordAt": "2026-11-20T18:40:00.000Z", "lastLocalSaveAt": null, "lastSyncAt": null, '
    '"ageSeconds": 40800,\n  "criteria": {"warnAfter": "12h", "errorAfter": null},\n'
    '  "sync": {"availability": "available", "network": "online", "status": "inProgress", '
    '"lastError": "CKErrorDomain 9"},\n  "pendingChanges": 4}')


@dataclass
class Sample:
    """The parts; `plain()` and `lines()` join them."""

    opening: str = '{"$schema": "urn:godwit:schema:export:1",\n '
    format: str = '"format": "godwit-export", "formatVersion": 1, "minReaderVersion": 1'
    about: str = ',\n "app": "A", "schemaVersion": 1,\n "generator": {"name": "godwit", "version": "0.1.0"}'
    moment: str = (
        ',\n "exportedAt": "2026-11-21T06:00:00.000Z", "exportId": "5E5F753D-A00D-4428-A8D2-3E4FFA2E4848"')
    source: str = (
        ',\n "source": {"store": "cloud", "file": "C.store", "schemaMigration": null, "contentVersion": "x"}')
    freshness: str = ',\n "freshness": ' + FRESHNESS
    more: str = ""
    item: str = (
        '{"name": "Item", "key": "id", "columns": [{"name": "id", "type": ""}, {"name": "a", "type": "ANY"}, '
        '{"name": "made", "type": "TEXT", "generated": true}], "count": COUNT')
    records: list[str] = field(default_factory=lambda: list(RECORDS))
    empty: str = '{"name": "None \\"x\\"", "key": "$blob", "columns": [{"name": "$blob", "type": "BLOB"}], "count": 0'
    gone: list[str] | None = None
    """Keys that are gone from Item; None for an export of everything."""
    gone_count: int | None = None
    count: str = ""
    counts: str = ""
    hash: str = ""
    integrity: str = ""
    ending: str = "}\n"

    def _openings(self) -> list[str]:
        item = self.item.replace("COUNT", self.count or str(len(self.records)))
        openings = [item, self.empty] if self.empty else [item]
        if self.gone is None:
            return openings
        count = len(self.gone) if self.gone_count is None else self.gone_count
        return [opening + f', "goneCount": {number}' for opening, number in zip(openings, (count, 0))]

    def array(self) -> str:
        """The array as the document layout has it."""
        parts = []
        for opening, records, gone in zip(self._openings(), [self.records, []], [self.gone or [], []]):
            part = opening + ',\n   "records": [' + ",".join("\n    " + text for text in records) + "]"
            if self.gone is not None:
                part += ',\n   "gone": [' + ",".join("\n    " + text for text in gone) + "]"
            parts.append(part + "}")
        return "[" + ",\n  ".join(parts) + "]"

    def _integrity(self) -> str:
        counts = self.counts or f'{{"Item": {self.count or len(self.records)}' + (
            ', "None \\"x\\"": 0}' if self.empty else "}")
        digest = self.hash or hashlib.sha256(self.array().encode()).hexdigest()
        return self.integrity or f'"integrity": {{"counts": {counts}, "sha256": "{digest}"}}'

    def _header(self, layout: str) -> str:
        return (self.opening + self.format + layout + self.about + self.moment + self.source + self.freshness
                + self.more)

    def plain(self) -> bytes:
        """The document layout."""
        header = self._header("") + ',\n "entities": '
        return (header + self.array() + ",\n " + self._integrity() + self.ending).encode()

    def lines(self) -> bytes:
        """JSON lines."""
        header = self._header(', "layout": "lines"') + ', "entities": [' + "}, ".join(self._openings()) + "}]}"
        name = json.dumps(json.loads(self.item.replace("COUNT", "0") + "}").get("name"))
        rows = "".join(f'{{"entity":{name},"record":{record}}}\n' for record in self.records)
        rows += "".join(f'{{"entity":{name},"gone":{key}}}\n' for key in self.gone or [])
        return (header.replace("\n", "") + "\n" + rows + "{" + self._integrity() + self.ending).encode()
