"""Bad binary property lists.

Values lie under keys that the manifest of the probe app maps: `k`, `s`, `r`, `d`, `i`, `blob`.
"""

from __future__ import annotations

import math
import plistlib
import struct

from . import plistbytes as raw
from .item import BAD, TAKEN, Item

GOOD = plistlib.dumps({"favourites": ["a", "b"], "sort": 1, "ratio": 0.5}, fmt=plistlib.FMT_BINARY)
TOP = raw.dictionary([1], [2])
CAFE = "caf\u00e9".encode("utf-16-be")
CAFE_APART = "cafe\u0301".encode("utf-16-be")


def items() -> list[Item]:
    """All of them."""
    return [
        Item.of(f"plist-binary/{name}", content, codes, why)
        for name, content, codes, why in [*_damaged(), *_graphs(), *_values(), *_more()]
    ]


def _damaged() -> list[tuple[str, bytes, frozenset[int], str]]:
    x, kv = raw.text("x"), [TOP, raw.text("k"), raw.text("v")]
    return [
        ("good", GOOD, TAKEN, "accepted"),
        ("empty-file", b"", BAD, "empty file"),
        ("magic-only", b"bplist00", BAD, "truncated"),
        ("truncated-half", GOOD[:len(GOOD) // 2], BAD, "truncated"),
        ("truncated-last-byte", GOOD[:-1], BAD, "truncated"),
        ("trailer-objects-2-pow-63", raw.document([x], count=1 << 63), BAD, "object count"),
        ("trailer-objects-0", raw.document([x], count=0), BAD, "object count"),
        ("table-past-end", raw.document([x], table=1 << 40), BAD, "offset table"),
        ("table-at-0", raw.document([x], table=0), BAD, "offset table inside the magic"),
        ("table-2-pow-64", raw.document([x], table=(1 << 64) - 1), BAD, "offset table"),
        ("offset-size-0", raw.document([x], offset_size=0), BAD, "offset size"),
        ("reference-size-0", raw.document([raw.array([1]), x], references=0), BAD, "reference size"),
        ("reference-size-255", raw.document([raw.array([1]), x], references=255), BAD, "reference size"),
        ("top-out-of-range", raw.document([x], top=9), BAD, "top object"),
        ("top-2-pow-64", raw.document([x], top=(1 << 64) - 1), BAD, "top object"),
        ("offset-past-end", raw.document(kv, offsets=[8, 11, 250]), BAD, "object offset"),
        ("offset-into-the-magic", raw.document(kv, offsets=[8, 0, 13]), BAD, "object offset"),
        ("offset-into-the-trailer", raw.document(kv, offsets=[8, 11, 40]), BAD, "object offset"),
        ("version-15", GOOD.replace(b"bplist00", b"bplist15"), BAD, "unknown binary version"),
        ("trailing-garbage", GOOD + b"garbage!", BAD, "trailer"),
        ("leading-garbage", b"\0\0" + GOOD, BAD, "unknown format"),
        ("zeros", bytes(4096), BAD, "unknown format"),
    ]


def _graphs() -> list[tuple[str, bytes, frozenset[int], str]]:
    bomb = raw.document([raw.array([place + 1, place + 1]) for place in range(40)] + [raw.text("boom")])
    deep = 100_000
    nested = raw.document(
        [raw.array([place + 1], width=4) for place in range(deep)] + [raw.text("x")], references=4, offset_size=4)
    huge = b"\x5f\x13" + struct.pack(">q", 1 << 40) + b"abc"
    negative = b"\x5f\x13" + struct.pack(">q", -1) + b"abc"
    twins = raw.document([
        raw.dictionary([1, 2], [3, 3]), raw.utf16(CAFE), raw.utf16(CAFE_APART), raw.text("v")])
    return [
        ("cycle-of-one", raw.document([raw.array([0])]), BAD, "cycle"),
        ("cycle-of-two",
         raw.document([raw.dictionary([2], [1]), raw.dictionary([2], [0]), raw.text("k")]), BAD, "cycle"),
        ("dictionary-is-its-own-key", raw.document([raw.dictionary([0], [0])]), BAD, "key is no string"),
        ("bomb-of-shared-references", bomb, BAD, "expands past the limit"),
        ("nested-100000", nested, BAD, "nested too deep"),
        ("string-of-2-pow-40", raw.document([huge]), BAD, "length past end"),
        ("array-of-2-pow-61", raw.document([b"\xaf\x13" + struct.pack(">q", 1 << 61) + b"\0"]), BAD, "length past end"),
        ("dictionary-of-2-pow-62", raw.document([b"\xdf\x13" + struct.pack(">q", 1 << 62) + b"\0"]), BAD, "length"),
        ("negative-count", raw.document([negative]), BAD, "length past end"),
        ("integer-keys", raw.document([TOP, raw.integer(7), raw.text("v")]), BAD, "key is not a string"),
        ("duplicate-keys",
         raw.document([raw.dictionary([1, 1], [2, 3]), raw.text("k"), raw.text("one"), raw.text("two")]), BAD,
         "duplicate key"),
        ("duplicate-keys-as-two-objects",
         raw.document([raw.dictionary([1, 2], [3, 3]), raw.text("k"), raw.utf16(b"\0k"), raw.text("v")]), BAD,
         "duplicate key, once as ASCII, once as UTF-16"),
        ("composed-and-decomposed-keys", twins, TAKEN, "keys are compared by bytes: two keys"),
        ("empty-key", raw.document([TOP, raw.text(""), raw.text("v")]), TAKEN, "kept; reported as unmapped"),
        ("top-is-an-array", plistlib.dumps(["a"], fmt=plistlib.FMT_BINARY), BAD, "top level is an array"),
        ("top-is-a-string", raw.document([raw.text("x")]), BAD, "top level is a string"),
    ]


def _values() -> list[tuple[str, bytes, frozenset[int], str]]:
    either = TAKEN | BAD
    return [
        ("utf16-lone-surrogate", raw.single("s", raw.utf16(b"\xd8\x00\x00\x41")), TAKEN | BAD, "not valid Unicode"),
        ("ascii-with-high-bytes", raw.single("s", raw.text(b"caf\xe9")), TAKEN | BAD, "not valid ASCII"),
        ("string-with-nul", raw.single("s", raw.text(b"a\0b")), either, "kept exactly"),
        ("nan", raw.single("r", raw.real(math.nan)), TAKEN, "outcome unsupported"),
        ("infinity", raw.single("r", raw.real(math.inf)), TAKEN, "REAL holds it, exports write $real"),
        ("negative-zero", raw.single("r", raw.real(-0.0)), TAKEN, "kept"),
        ("denormal", raw.single("r", raw.real(5e-324)), TAKEN, "kept"),
        ("date-nan", raw.single("d", raw.date(math.nan)), TAKEN | BAD, "date out of range"),
        ("date-1e300", raw.single("d", raw.date(1e300)), TAKEN | BAD, "date out of range"),
        ("date-infinite", raw.single("d", raw.date(-math.inf)), TAKEN, "outcome unsupported"),
        ("date-year-minus-5000", raw.single("d", raw.date(-2.2e11)), TAKEN, "outcome unsupported"),
        ("int128-unsigned", raw.single("i", b"\x14" + b"\0" * 8 + b"\xff" * 8), TAKEN, "outcome unsupported"),
        ("int128-negative", raw.single("i", b"\x14" + b"\xff" * 16), either, "does not fit, or is -1"),
        ("int-2-pow-53-plus-1", raw.single("i", raw.integer((1 << 53) + 1)), TAKEN, "exact"),
        ("int64-least", raw.single("i", raw.integer(-(1 << 63))), TAKEN, "exact"),
        ("keyed-archive-uid", raw.document([TOP, raw.text("archived"), b"\x80\x05"]), TAKEN, "outcome unsupported"),
        ("null", raw.single("n", b"\x00"), BAD, "null object"),
        ("fill-byte", raw.single("n", b"\x0f"), BAD, "fill is no value"),
        ("unknown-marker", raw.single("n", b"\x70"), BAD, "unknown object type"),
        ("set", raw.document([TOP, raw.text("s"), b"\xc1\x01"]), BAD, "set object"),
        ("string-of-2-mib", raw.single("s", raw.text("x" * (1 << 21))), TAKEN, "no limit below the file's"),
        ("archive-inside-data", raw.single("blob", raw.data(GOOD)), TAKEN, "opaque bytes, never unarchived"),
    ]


def _more() -> list[tuple[str, bytes, frozenset[int], str]]:
    """Shapes that favourites and settings have to cope with."""
    many = plistlib.dumps({"favourites": [f"f{number}" for number in range(20_000)]}, fmt=plistlib.FMT_BINARY)
    mixed = plistlib.dumps(
        {"favourites": ["a", 1, 2.5, True, b"\0", ["nested"], {"k": "v"}], "sort": ["not", "a", "number"]},
        fmt=plistlib.FMT_BINARY)
    keys = plistlib.dumps({"\u202egnp.exe": "x", "a\nb": "y", "\x1b[31mred": "z"}, fmt=plistlib.FMT_BINARY)
    archive = plistlib.dumps(
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": plistlib.UID(1)},
         "$objects": ["$null", {"NS.objects": [plistlib.UID(1)] * 50, "$class": plistlib.UID(2)},
                      {"$classname": "NSArray", "$classes": ["NSArray"]}]}, fmt=plistlib.FMT_BINARY)
    return [
        ("20000-favourites", many, TAKEN, "in linear time"),
        ("favourites-of-every-type", mixed, TAKEN, "outcome unsupported"),
        ("keys-with-controls", keys, TAKEN, "shown escaped"),
        ("favourites-archive-holds-itself",
         plistlib.dumps({"favourites": archive}, fmt=plistlib.FMT_BINARY), TAKEN, "outcome unsupported"),
        ("favourites-csv-of-1-mib",
         plistlib.dumps({"favourites": '"a",' * (1 << 18)}, fmt=plistlib.FMT_BINARY), TAKEN, "in linear time"),
        ("favourites-json-nested-100000",
         plistlib.dumps({"favourites": "[" * 100_000}, fmt=plistlib.FMT_BINARY), TAKEN, "no JSON: outcome unsupported"),
    ]
