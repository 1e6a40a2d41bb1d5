"""Cells, names and what is refused in the CSV files and the JSON files."""

import plistlib
import tempfile
import unittest
from datetime import datetime
from pathlib import Path

from sampledata.propertylist import property_list_bytes
from sampledata.rows import LabelledRows

COLUMNS = [("id", "TEXT"), ("n", "INTEGER"), ("r", "REAL"), ("t", "TEXT"), ("b", "BLOB")]


class SourceTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def source(self, text):
        path = self.folder / "source"
        path.write_bytes(text.encode("utf-8"))
        return path


class RowTests(SourceTests):
    def read(self, text, labelled=None, columns=COLUMNS):
        header = ",".join(name for name, _ in columns)
        return (labelled or LabelledRows("app")).read(self.source(f"{header}\n{text}"), columns)

    def test_cells_are_typed_as_their_column_is_declared(self):
        (row,) = self.read("a,7,60,60,00ff\n")
        self.assertEqual(row, ("a", 7, 60.0, "60", b"\x00\xff"))
        self.assertEqual([type(value) for value in row], [str, int, float, str, bytes])

    def test_null_empty_text_and_escaped_text_are_told_apart(self):
        for cell, value in [(r"\N", None), ("", ""), (r"\\N", r"\N"), (r"\@home", "@home"), ("N", "N")]:
            with self.subTest(cell):
                self.assertEqual(self.read(f"a,1,1,{cell},\n")[0][3], value)

    def test_quoted_cells_may_hold_commas_quotes_and_line_breaks(self):
        self.assertEqual(self.read('a,1,1,"懸垂, ""あと\n一回"" 💪",\n')[0][3], '懸垂, "あと\n一回" 💪')

    def test_a_name_stands_for_one_upper_case_uuid_per_app(self):
        labelled = LabelledRows("app")
        rows = self.read("@w,1,1,x,\nplain,1,1,@w,\n", labelled)
        self.assertEqual(rows[0][0], rows[1][3])
        self.assertEqual(rows[0][0], LabelledRows("app").uuid("w"))
        self.assertNotEqual(rows[0][0], LabelledRows("other").uuid("w"))
        self.assertRegex(rows[0][0], r"^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")
        labelled.check_names()

    def test_the_uuid_of_a_name_never_changes(self):
        self.assertEqual(LabelledRows("trainlog").uuid("2026-08-02-push"), "CAFE4716-639A-5764-BA12-2BAF237D293C")

    def test_a_name_without_its_record_is_refused_with_file_and_line(self):
        labelled = LabelledRows("app")
        self.read("a,1,1,x,\nb,1,1,@missing,\n", labelled)
        with self.assertRaisesRegex(ValueError, "source:3: no record of this store is called @missing"):
            labelled.check_names()

    def test_wrong_headers_widths_and_cells_are_refused_with_the_line(self):
        for text, message in [
            ("id,n\n", "source:1: the columns are id, n"),
            ("", "source:1: the columns are ;"),
            ("id,n,r,t,b\na,1\n", "source:2: 2 cells for 5 columns"),
            ("id,n,r,t,b\na,1,1,x,\na,one,1,x,\n", r"source:3: column n \(INTEGER\)"),
            ("id,n,r,t,b\na,1,heavy,x,\n", r"source:2: column r \(REAL\)"),
            ("id,n,r,t,b\na,1,1,x,zz\n", r"source:2: column b \(BLOB\)"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                LabelledRows("app").read(self.source(text), COLUMNS)

    def test_a_column_of_an_unknown_type_is_refused(self):
        with self.assertRaisesRegex(ValueError, r"column d \(DATE\)"):
            self.read("2026\n", columns=[("d", "DATE")])


class PropertyListTests(SourceTests):
    def test_every_type_arrives_as_itself(self):
        text = '{"i": 90, "r": 90.0, "b": true, "s": "朝", "a": ["x", {"k": 1}],'
        text += ' "d": {"$date": "2026-11-20T21:14:03Z"}, "raw": {"$data": "AP8="}}'
        root = plistlib.loads(property_list_bytes(self.source(text)))
        self.assertEqual(root["d"], datetime(2026, 11, 20, 21, 14, 3))
        self.assertEqual(root["raw"], b"\x00\xff")
        self.assertEqual(root["a"], ["x", {"k": 1}])
        self.assertEqual(root["s"], "朝")
        self.assertEqual([type(root[key]) for key in "irb"], [int, float, bool])

    def test_json_in_data_is_compact_and_keeps_the_order_of_its_keys(self):
        root = plistlib.loads(property_list_bytes(self.source('{"h": {"$json": [{"b": 1, "a": "朝"}, 2.5]}}')))
        self.assertEqual(root["h"], '[{"b":1,"a":"朝"},2.5]'.encode("utf-8"))

    def test_names_and_lists_of_them_become_text(self):
        text = '{"one": {"$name": "x"}, "all": {"$csv": [{"$name": "x"}, "b"]}}'
        root = plistlib.loads(property_list_bytes(self.source(text), naming=str.upper))
        self.assertEqual(root, {"one": "X", "all": "X,b"})

    def test_an_archive_is_what_the_system_writes_for_a_list_of_texts(self):
        root = plistlib.loads(property_list_bytes(self.source('{"f": {"$archive": ["a", "b", "a"]}}')))
        archive = plistlib.loads(root["f"])
        self.assertEqual(archive["$archiver"], "NSKeyedArchiver")
        self.assertEqual(archive["$version"], 100000)
        objects = archive["$objects"]
        array = objects[archive["$top"]["root"].data]
        self.assertEqual([objects[item.data] for item in array["NS.objects"]], ["a", "b", "a"])
        self.assertEqual(objects[array["$class"].data]["$classname"], "NSArray")
        self.assertEqual((objects[0], len(objects)), ("$null", 5))

    def test_xml_holds_the_same(self):
        source = self.source('{"a": [1, 2.5, true], "d": {"$date": "2026-11-20T21:14:03Z"}}')
        xml = property_list_bytes(source, xml=True)
        self.assertTrue(xml.startswith(b"<?xml"))
        self.assertEqual(plistlib.loads(xml), plistlib.loads(property_list_bytes(source)))

    def test_the_result_is_binary_and_the_order_of_keys_is_free(self):
        one = property_list_bytes(self.source('{"a": 1, "b": 2}'))
        self.assertTrue(one.startswith(b"bplist00"))
        self.assertEqual(one, property_list_bytes(self.source('{"b": 2, "a": 1}')))

    def test_what_a_property_list_can_not_hold_is_refused_with_the_file(self):
        for text, message in [
            ('{"a": null}', "source: the key a is null"),
            ('{"a": 1, "a": 2}', "source: the key a is there twice"),
            ("[1]", "source: a preferences file holds a dictionary"),
            ('{"a": {"$date": "yesterday"}}', "source: .*yesterday"),
            ('{"a": {"$data": "?"}}', "source: "),
            ('{"a": {"$archive": [1]}}', "source: an archive holds a list of texts"),
            ('{"a": ', "source: "),
        ]:
            with self.subTest(text), self.assertRaisesRegex(ValueError, message):
                property_list_bytes(self.source(text))


if __name__ == "__main__":
    unittest.main()
