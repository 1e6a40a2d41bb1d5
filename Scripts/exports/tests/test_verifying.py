"""Good exports pass, and each way of being bad is found, for its own reason and for no other."""

from __future__ import annotations

import gzip
import re
import unittest
from typing import Any

from . import HAS_SCHEMAS, WHY
from .sample import RECORDS, Sample

if HAS_SCHEMAS:
    from ..command import verify_bytes


def values(*texts: str) -> list[str]:
    """Records whose column `a` holds these."""
    return [f'{{"id":{number},"a":{text},"made":""}}' for number, text in enumerate(texts)]


def spoiled(part: str, old: str, new: str) -> dict[str, str]:
    """A part of the sample with something else in it."""
    before = getattr(Sample(), part)
    assert old in before, (part, old)
    return {part: before.replace(old, new)}


# What is changed, and what must be said: once, and nothing else.
BOTH: list[tuple[str, dict[str, Any], list[str]]] = [
    ("another format", spoiled("format", "godwit-export", "other"), ["$.format breaks const"]),
    ("no format version", spoiled("format", '"formatVersion": 1, ', ""), ['$ breaks required ["formatVersion"]']),
    ("format version 0", spoiled("format", '"formatVersion": 1', '"formatVersion": 0'),
     ["$.formatVersion breaks minimum"]),
    ("a real format version", spoiled("format", '"formatVersion": 1', '"formatVersion": 1.0'),
     ["formatVersion is a whole number written with a point"]),
    ("another reader", spoiled("format", '"minReaderVersion": 1', '"minReaderVersion": 2'),
     ["$.minReaderVersion breaks const 1"]),
    ("no $schema", spoiled("opening", '"$schema": "urn:godwit:schema:export:1",\n ', ""),
     ['$ breaks required ["$schema"]', "does not begin with $schema"]),
    ("another $schema", spoiled("opening", "export:1", "export:2"), ["$.$schema breaks const"]),
    ("no app", spoiled("about", '"app": "A", ', ""), ['required ["app"]']),
    ("an app that is no text", spoiled("about", '"A"', "1"), ["$.app breaks type"]),
    ("a negative schema version", spoiled("about", '"schemaVersion": 1', '"schemaVersion": -1'),
     ["$.schemaVersion breaks minimum"]),
    ("a generator without its version", spoiled("about", ', "version": "0.1.0"', ""),
     ['$.generator breaks required ["version"]']),
    ("members out of order",
     {"about": ',\n "schemaVersion": 1, "app": "A",\n "generator": {"name": "g", "version": "1"}'},
     ["top-level members are out of order"]),
    ("a time without milliseconds", spoiled("moment", "00.000Z", "00Z"), ["$.exportedAt breaks pattern"]),
    ("a time elsewhere", spoiled("moment", "00.000Z", "00.000+01:00"), ["$.exportedAt breaks pattern"]),
    ("30 February", spoiled("moment", "2026-11-21", "2026-02-30"), ["$.exportedAt breaks format"]),
    ("an hour that is none", spoiled("moment", "T06", "T24"), ["$.exportedAt breaks format"]),
    ("a lower-case UUID", spoiled("moment", "5E5F753D", "5e5f753d"), ["$.exportId breaks pattern"]),
    ("no UUID", spoiled("moment", "5E5F753D-A00D-4428-A8D2-3E4FFA2E4848", "ID"),
     ["$.exportId breaks pattern", "$.exportId breaks format"]),
    ("another store", spoiled("source", '"cloud"', '"remote"'), ["$.source.store breaks enum"]),
    ("a source without its migration", spoiled("source", '"schemaMigration": null, ', ""),
     ['$.source breaks required ["schemaMigration"]']),
    ("an empty content version", spoiled("source", '"x"', '""'), ["$.source.contentVersion breaks minLength"]),
    ("no freshness", {"freshness": ""}, ['required ["freshness"]']),
    ("an unknown verdict", spoiled("freshness", '"warn"', '"old"'), ["$.freshness.status breaks enum"]),
    ("an unknown reason", spoiled("freshness", '"code": "syncing"', '"code": "tired"'),
     ["$.freshness.reasons[0].code breaks enum"]),
    ("an unknown sync status", spoiled("freshness", '"inProgress"', '"syncing"'),
     ["$.freshness.sync.status breaks enum"]),
    ("stale as a word", spoiled("freshness", '"mayBeStale": true', '"mayBeStale": "yes"'),
     ["$.freshness.mayBeStale breaks type"]),
    ("a negative age", spoiled("freshness", "40800", "-1"), ["$.freshness.ageSeconds breaks minimum"]),
    ("an age beyond what doubles hold", spoiled("freshness", "40800", "9007199254740992"),
     ["$.freshness.ageSeconds breaks maximum"]),
    ("a length of time in weeks", spoiled("freshness", '"12h"', '"2w"'),
     ["$.freshness.criteria.warnAfter breaks pattern"]),
    ("a reason without its words", spoiled("freshness", ', "message": "A sync was in progress."', ""),
     ['reasons[0] breaks required ["message"]']),
    ("a selection of others", {"more": ',\n "selection": ["Item"]'}, ["selection names other entities"]),
    ("an empty selection", {"more": ',\n "selection": []'},
     ["$.selection breaks minItems", "selection names other entities"]),
    ("a selection that is no list", {"more": ',\n "selection": "Item"'},
     ["$.selection breaks type", "selection names other entities"]),
    ("another hash", {"hash": "0" * 64}, ["sha256 of the entities is"]),
    ("a hash in capitals", {"hash": "AB" * 32}, ["$.integrity.sha256 breaks pattern", "sha256 of the entities is"]),
    ("no hash", {"integrity": '"integrity": {"counts": {"Item": 12, "None \\"x\\"": 0}}'},
     ['$.integrity breaks required ["sha256"]', "sha256 of the entities is"]),
    ("other counts", {"counts": '{"Item": 11, "None \\"x\\"": 0}'}, ["counts other records"]),
    ("an entity that is not counted", {"counts": '{"Item": 12}'}, ["counts other records"]),
    ("counts of more", {"counts": '{"Item": 12, "None \\"x\\"": 0, "More": 0}'}, ["counts other records"]),
    ("a real count", {"counts": '{"Item": 12.0, "None \\"x\\"": 0}'}, ["the count of Item is a whole number written"]),
    ("a key that is no column", spoiled("item", '"key": "id"', '"key": "ID"'),
     ["the key of Item is none of its columns"]),
    ("an entity without its key", {"empty": '{"name": "N", "columns": [{"name": "a", "type": ""}], "count": 0'},
     ["'key' is missing"]),
    ("a column without its type", spoiled("empty", ', "type": "BLOB"', ""),
     ['breaks required ["type"]', "not spelled"]),
    ("an entity without columns", spoiled("empty", '{"name": "$blob", "type": "BLOB"}', ""),
     ["columns breaks minItems 1", "the key of None"]),
    ("an entity twice", {"empty": '{"name": "Item", "key": "a", "columns": [{"name": "a", "type": ""}], "count": 0'},
     ["counts other records", "an entity is there twice"]),
    ("a column twice", spoiled("empty", "[{", '[{"name": "$blob", "type": "BLOB"}, {'), ["announces a column twice"]),
    ("a further member of an entity", spoiled("empty", '"count": 0', '"rowids": true, "count": 0'),
     ['[1] breaks additionalProperties ["rowids"]', "not spelled"]),
    ("a further member of a column", spoiled("empty", '"BLOB"', '"BLOB", "unit": "kg"'),
     ['breaks additionalProperties ["unit"]', "not spelled"]),
    ("generated, but not true", spoiled("empty", '"BLOB"', '"BLOB", "generated": false'),
     ["generated breaks const true", "not spelled"]),
    ("a column that was not announced", {"records": ['{"id":1,"a":1,"made":"","b":1}']},
     ["other columns than announced"]),
    ("a column that is missing", {"records": ['{"id":1,"a":1}']}, ["other columns than announced"]),
    ("columns in another order", {"records": ['{"a":1,"id":1,"made":""}']}, ["columns in another order"]),
    ("a member twice", {"records": ['{"id":1,"a":1,"a":1,"made":""}']}, ["a member is there twice"]),
    ("records out of order", {"records": [RECORDS[9], RECORDS[8]]}, ["record 2 of Item is out of key order"]),
    ("records of one key out of order", {"records": [RECORDS[3], RECORDS[2]]},
     ["record 2 of Item is out of key order"]),
    ("a real before its integer", {"records": [RECORDS[5], RECORDS[4]]}, ["record 2 of Item is out of key order"]),
    ("a blob before a text", {"records": [RECORDS[11], RECORDS[10]]}, ["record 2 of Item is out of key order"]),
    ("texts by characters and not by bytes", {"records": [
        '{"id":"\U0001F3CB","a":1,"made":""}', '{"id":"\uff5e","a":1,"made":""}']},
     ["record 2 of Item is out of key order"]),
    ("a whole number beyond", {"records": values("9007199254740992")}, ["beyond ±(2^53 − 1) without $int"]),
    ("a negative one", {"records": values("-9007199254740992")}, ["beyond ±(2^53 − 1) without $int"]),
    ("a zero with a sign", {"records": values("-0")}, ["is -0"]),
    ("a number that no double holds", {"records": values("1e400")}, ["a breaks maximum", "no double holds"]),
    ("a real with digits to spare", {"records": values("0.1000000000000000055")}, ["not written the shortest way"]),
    ("a boolean", {"records": values("true")}, ["a breaks type", "is no value of a record"]),
    ("a list", {"records": values("[]")}, ["a breaks type", "is no value of a record"]),
    ("an object without a tag", {"records": values("{}")}, ["a breaks minProperties", "is no value of a record"]),
    ("an unknown tag", {"records": values('{"$date":"x"}')}, ['additionalProperties ["$date"]', "unknown tag"]),
    ("a tag with company", {"records": values('{"$blob":"","$text":"AA=="}')},
     ["a breaks maxProperties", "is no value of a record"]),
    ("base64 without padding", {"records": values('{"$blob":"AA"}')}, ["$blob breaks pattern", "no canonical base64"]),
    ("base64 with unused bits", {"records": values('{"$blob":"AB=="}')},
     ["$blob breaks pattern", "no canonical base64"]),
    ("base64 for addresses", {"records": values('{"$blob":"_-=="}')}, ["$blob breaks pattern", "no canonical base64"]),
    ("base64 with a line feed", {"records": values('{"$blob":"AAAA\\n"}')}, ["no canonical base64"]),
    ("text that could be a string", {"records": values('{"$text":"YQ=="}')}, ["$text that could be a string"]),
    ("an empty $text", {"records": values('{"$text":""}')}, ["$text breaks minLength", "$text that could be a string"]),
    ("a small $int", {"records": values('{"$int":"9007199254740991"}')}, ["$int breaks pattern", "no $int beyond"]),
    ("an $int beyond 64 bits", {"records": values('{"$int":"9223372036854775808"}')},
     ["$int breaks pattern", "no $int beyond"]),
    ("an $int with a sign", {"records": values('{"$int":"+9007199254740992"}')},
     ["$int breaks pattern", "$int breaks pattern", "no $int beyond"]),
    ("an $int that is a number", {"records": values('{"$int":9007199254740992}')},
     ["$int breaks type", "no $int beyond"]),
    ("not a number", {"records": values('{"$real":"NaN"}')}, ["$real breaks enum", "no infinite $real"]),
    ("a string with NUL", {"records": values('"a\\u0000"')}, ["a breaks pattern", "a string with NUL"]),
    ("a member of the header twice", spoiled("about", '"app": "A"', '"app": "A", "app": "A"'), ["there twice"]),
    ("half of a surrogate pair", {"records": values('"\\ud800"')}, ["half of a surrogate pair"]),
    ("an escape too many", {"records": values('"\\/"')}, ["not spelled as the format spells them, first at line 3"]),
    ("NaN", {"records": values("NaN")}, ["NaN is no JSON"]),
    ("a leading zero", {"records": values("01")}, ["is no JSON"]),
    ("something behind the end", {"ending": "}\n{}\n"}, ["something follows the end|more record lines|is missing"]),
    ("no line feed at the end", {"ending": "}"}, ["does not end with } and a line feed"]),
    ("two line feeds at the end", {"ending": "}\n\n"}, ["does not end with } and a line feed"]),
]


SINCE = (',\n "since": {"exportId": "5E5F753D-A00D-4428-A8D2-3E4FFA2E4848", '
         '"exportedAt": "2026-11-20T06:00:00.000Z", "contentVersion": "y"}')


def increment(**changes: Any) -> Sample:
    """An export of what changed since another."""
    parts = {"more": SINCE, "gone": ['"b"', "1", '{"$blob":"AP8="}'], "gone_count": None, **changes}
    return Sample(**parts)


@unittest.skipUnless(HAS_SCHEMAS, WHY)
class VerifyingTests(unittest.TestCase):
    def assert_good(self, content: bytes, kind: str) -> None:
        self.assertEqual(verify_bytes(content), (kind, []))

    def test_good_exports_pass(self) -> None:
        for sample in (Sample(), Sample(empty=""), Sample(records=[]), Sample(more=', "later": {"x": [true, 1e3]}'),
                       Sample(more=', "selection": ["Item", "None \\"x\\""]'),
                       Sample(format=Sample().format.replace('"formatVersion": 1', '"formatVersion": 7')),
                       Sample(**spoiled("source", '"x"}', '"x", "more": 1}'))):
            self.assert_good(sample.plain(), "document")
            self.assert_good(sample.lines(), "lines")

    def test_exports_of_what_changed_pass(self) -> None:
        self.assert_good(increment().plain(), "document")
        self.assert_good(increment().lines(), "lines")

    def test_what_is_wrong_with_gone_records_is_found(self) -> None:
        for changes, found in (
            ({"more": ""}, "names gone records in an export of everything"),
            ({"gone": None}, "or none in one of differences"),
            ({"gone": ['"b"', '"a"']}, "out of order"),
            ({"gone": ['"a"', '"a"']}, "one is there twice"),
            ({"gone": ["9007199254740992"]}, "without $int"),
            ({"gone_count": 2}, "does not name as many|more record lines"),
            ({"more": ',\n "since": {"exportId": "X"}'}, "$.since breaks required"),
        ):
            for content in (increment(**changes).plain(), increment(**changes).lines()):
                problems = verify_bytes(content)[1]
                self.assertTrue(any(re.search(re.escape(part), one) for one in problems for part in found.split("|")),
                                f"{changes}: {problems}")

    def test_the_integrity_of_lines_may_stand_behind_unknown_members(self) -> None:
        lines = Sample().lines()
        self.assert_good(lines.replace(b'\n{"integrity"', b'\n{"signature": {"by": "me"}, "integrity"'), "lines")

    def test_packed_exports_pass(self) -> None:
        plain, lines = Sample().plain(), Sample().lines()
        self.assert_good(gzip.compress(plain), "document, packed")
        self.assert_good(gzip.compress(lines[:500]) + gzip.compress(lines[500:]), "lines, packed")

    def test_every_way_of_being_bad_is_found(self) -> None:
        self.assertGreaterEqual(len(BOTH), 25)
        for name, change, expected in BOTH:
            for layout in ("plain", "lines"):
                with self.subTest(name, layout=layout):
                    sample = Sample(**change)
                    self.assertNotEqual(getattr(sample, layout)(), getattr(Sample(), layout)())
                    said = verify_bytes(getattr(sample, layout)())[1]
                    self.assertEqual(len(said), len(expected), said)
                    for words in expected:
                        self.assertTrue(any(word in line for line in said for word in words.split("|")), said)

    def assert_bad(self, content: bytes, *expected: str) -> None:
        said = verify_bytes(content)[1]
        self.assertEqual(len(said), len(expected), said)
        for words, line in zip(expected, said):
            self.assertIn(words, line)

    def test_bytes_that_are_no_text(self) -> None:
        self.assert_bad(b"\xef\xbb\xbf" + Sample().plain(), "byte-order mark")
        self.assert_bad(Sample().plain().replace(b'"app": "A"', b'"app": "\xff"'), "no UTF-8 at byte")
        self.assert_bad(b"", "does not begin with {")
        self.assert_bad(b"[]\n", "does not begin with {")
        self.assert_bad(b"{}\n", "'entities' is missing")
        self.assert_bad(Sample().plain()[:700] + b"}\n", "is no JSON")

    def test_damaged_gzip(self) -> None:
        packed = gzip.compress(Sample().plain())
        self.assert_bad(packed[:-1], "ends too early")
        self.assert_bad(packed + b"\0", "no gzip member follows")
        self.assert_bad(packed[:-8] + bytes(8), "damaged")

    def test_what_only_a_document_can_have(self) -> None:
        announced = Sample(count="13")
        self.assert_bad(announced.plain(), "counts other records", "announces 13 records and has 12")
        self.assert_bad(Sample(more=',\n "layout": "lines"').plain(), "$.layout breaks not", "out of order")
        self.assert_bad(Sample(more=',\n "layout": "document"').plain(), "$.layout breaks not", "out of order")
        self.assert_bad(Sample(more=',\n "layout": "lines"').plain().replace(b"\n ", b""), "fewer record lines")

    def test_what_only_lines_can_have(self) -> None:
        lines = Sample().lines()
        first, *rows, last = lines.splitlines(keepends=True)
        self.assert_bad(Sample(count="13").lines(), "fewer record lines")
        self.assert_bad(Sample(count="11").lines(), "more record lines")
        self.assert_bad(first + last, "fewer record lines")
        self.assert_bad(first, "fewer record lines")
        self.assert_bad(b"".join([first, *rows]), "fewer record lines")
        self.assert_bad(lines.replace(b'{"entity":"Item"', b'{"entity":"Other"', 1), "fewer record lines")
        self.assert_bad(lines.replace(b'{"entity":"Item",', b'{"entity": "Item",', 1), "not written as lines are")
        self.assert_bad(lines.replace(b',"made":"x"}}', b',"made":"x"},"x":1}', 1), "$ breaks additionalProperties",
                        "sha256", "not spelled")
        self.assert_bad(lines.replace(b'"layout": "lines"', b'"layout": "columns"'), "$.layout breaks const")


if __name__ == "__main__":
    unittest.main()
