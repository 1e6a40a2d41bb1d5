"""The schemas themselves: sound, described throughout, and exact at their edges."""

from __future__ import annotations

import base64
import itertools
import json
import re
import unittest
from typing import Any, Iterator

from . import HAS_SCHEMAS, WHY

if HAS_SCHEMAS:
    import jsonschema

    from .. import schemas


def subschemas(schema: Any, path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of a member or a definition."""
    for keyword in ("properties", "$defs"):
        for name, inside in schema.get(keyword, {}).items():
            yield f"{path}.{name}", inside
            yield from subschemas(inside, f"{path}.{name}")


@unittest.skipUnless(HAS_SCHEMAS, WHY)
class SchemaTests(unittest.TestCase):
    def test_both_are_schemas(self) -> None:
        for name in ("export-1", "export-lines-1"):
            schema = schemas.load(name)
            jsonschema.Draft202012Validator.check_schema(schema)
            self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
            self.assertEqual(schema["$id"], f"urn:godwit:schema:{name.replace('-1', ':1')}")

    def test_the_lines_schema_leads_to_the_definition_of_a_line(self) -> None:
        self.assertEqual(schemas.load("export-lines-1")["$ref"], schemas.load("export-1")["$id"] + "#/$defs/line")
        kinds = [kind["$ref"] for kind in schemas.load("export-1")["$defs"]["line"]["oneOf"]]
        self.assertEqual(kinds, [f"#/$defs/{name}" for name in (
            "headerLine", "recordLine", "goneLine", "integrityLine")])

    def test_every_reference_leads_somewhere(self) -> None:
        schema = schemas.load("export-1")
        references = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
        self.assertLessEqual(references, schema["$defs"].keys())
        self.assertEqual(schema["$defs"].keys() - references, {"line"})

    def test_everything_is_described(self) -> None:
        definitions = schemas.load("export-1")["$defs"]
        for path, schema in subschemas(schemas.load("export-1")):
            target = definitions.get(schema.get("$ref", "").removeprefix("#/$defs/"), {})
            if "const" not in schema:
                self.assertTrue(schema.get("description") or target.get("description"), path)

    def test_patterns_are_plain_regular_expressions(self) -> None:
        """No look-around, no back-reference: they mean the same in ECMA 262, RE2, Rust and Python."""
        for pattern in re.findall(r'"pattern": "(.*?)"[,}]', json.dumps(schemas.load("export-1"))):
            self.assertNotRegex(pattern, r"\(\?[^:]|\\[1-9]")
            re.compile(pattern)

    def good(self, definition: str, value: Any) -> bool:
        return not list(schemas.problems(definition, value))

    def test_large_integers(self) -> None:
        exact = 2**53
        edges = {exact, 10**16, 10**17, 10**18, 2**63 - 1, 2**62, 9_007_199_999_999_999, 9_999_999_999_999_999}
        edges |= {edge + step for edge in list(edges) for step in (-2, -1, 0, 1, 2)}
        edges |= {edge // 10**k * 10**k + step for edge in list(edges) for k in range(19) for step in (-1, 0, 1)}
        for number in edges | {-edge for edge in edges} | {2**63, 2**64, -2**63, -2**63 - 1, 0}:
            wanted = exact <= abs(number) and -2**63 <= number < 2**63
            self.assertEqual(self.good("largeInteger", str(number)), wanted, number)
        for text in ("", "-", "+9007199254740992", "09007199254740992", "9007199254740992.0", " 9007199254740992"):
            self.assertFalse(self.good("largeInteger", text), text)

    def test_base64(self) -> None:
        for length in range(5):
            self.assertTrue(self.good("base64", base64.b64encode(bytes(range(251, 251 + length))).decode()))
        for first, last in itertools.product("AQgwB/", repeat=2):
            text = first + last + "=="
            canonical = base64.b64encode(base64.b64decode(text)).decode() == text
            self.assertEqual(self.good("base64", text), canonical, text)
        digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for last in digits:
            text = f"AA{last}="
            canonical = base64.b64encode(base64.b64decode(text)).decode() == text
            self.assertEqual(self.good("base64", text), canonical, text)
        for text in ("A", "AA", "AAA", "A===", "====", "AAA=AAAA", "AA A", "AA_-", "=AAA"):
            self.assertFalse(self.good("base64", text), text)

    def test_moments(self) -> None:
        for text in ("2026-11-21T06:00:00.000Z", "0000-02-29T00:00:00.000Z", "9999-12-31T23:59:59.999Z"):
            self.assertTrue(self.good("instant", text), text)
        for text in ("2026-02-29T00:00:00.000Z", "2026-11-21T06:00:00Z", "2026-11-21 06:00:00.000Z", "2026-11-21",
                     "2026-11-21T06:00:60.000Z", "2026-13-01T00:00:00.000Z", "٢٠٢٦-11-21T06:00:00.000Z"):
            self.assertFalse(self.good("instant", text), text)
        self.assertTrue(self.good("instantOrNull", None))
        self.assertFalse(self.good("instant", None))

    def test_what_was_found_good_before_hides_nothing(self) -> None:
        good, bad = {"id": 1, "a": "known"}, {"id": 1, "a": True}
        entity = {"name": "Item", "key": "id", "columns": [{"name": "id", "type": ""}], "count": 3}
        document = {"entities": [entity | {"records": [good, bad, good]}]}
        wanted = list(schemas.problems("", document))
        self.assertIn("schema: $.entities[0].records[1].a breaks type", wanted)
        for _ in range(2):
            self.assertEqual(list(schemas.unfitting("", document)), wanted)
            self.assertEqual(list(schemas.unfitting("recordLine", {"entity": "Item", "record": good})), [])
            self.assertNotEqual(list(schemas.unfitting("recordLine", {"entity": "Item", "record": bad})), [])
            self.assertNotEqual(list(schemas.unfitting("recordLine", {"entity": "Item", "record": good, "x": 1})), [])

    def test_a_value_is_never_shown(self) -> None:
        said = list(schemas.problems("record", {"a": ["secret"], "b": {"$blob": "secret!"}, "c": {"$x": "secret"}}))
        self.assertEqual(len(said), 3)
        self.assertNotIn("secret", "".join(said))


if __name__ == "__main__":
    unittest.main()
