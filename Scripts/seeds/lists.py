"""Seeds of the targets that read preferences: property lists, JSON, lists of favorites, and edits of the flag."""

from __future__ import annotations

import datetime
import plistlib
from collections.abc import Callable

from faults.hostile.badinputs import plistbytes, xmllists

WHEN = datetime.datetime(2026, 3, 1, 7, 15, 0)

SETTINGS = {
    "weightUnit": "kg",
    "restTimer": 90,
    "soundOn": True,
    "cloudMigrationDone": False,
    "ratio": 0.5,
    "since": WHEN,
    "token": b"\x00\x01\xfe\xff",
    "favoriteExercises": ["squat", "b\u00e4nk", "\U0001f426"],
    "nested": {"a": {"b": [1, -2, 2**63 - 1, -(2**63)]}},
}


def archive(items: list[str], uid: Callable[[int], object] = plistlib.UID) -> dict:
    """A keyed archive of an array of strings, as NSKeyedArchiver lays it out."""
    objects = ["$null", {"NS.objects": [uid(3 + place) for place in range(len(items))], "$class": uid(2)}]
    objects += [{"$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]}, *items]
    return {"$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": {"root": uid(1)}, "$objects": objects}


def bplist(objects: list[bytes]) -> bytes:
    """A binary property list from encoded objects, with offsets of two bytes."""
    return plistbytes.document(objects, offset_size=2, references=1)


def binary_seeds() -> dict[str, bytes]:
    wide = {f"key{number:03}": number for number in range(60)}
    return {
        "settings": plistlib.dumps(SETTINGS, fmt=plistlib.FMT_BINARY),
        "empty": plistlib.dumps({}, fmt=plistlib.FMT_BINARY),
        "archive": plistlib.dumps(archive(["squat", "row"]), fmt=plistlib.FMT_BINARY),
        "wide": plistlib.dumps(wide, fmt=plistlib.FMT_BINARY),
        "big-integer": bplist([b"\xd1\x01\x02", b"\x51a", b"\x14" + (2**100).to_bytes(16, "big")]),
        "shared": bplist([b"\xa3\x01\x01\x01", b"\xa3\x02\x02\x02", b"\x51a"]),
        "cycle": bplist([b"\xa1\x00"]),
        "set": bplist([b"\xc1\x01", b"\x51a"]),
        "real-and-date": bplist([b"\xa3\x01\x02\x03", b"\x22\x3f\x00\x00\x00", b"\x23\x7f\xf0" + bytes(6),
                                 b"\x33\x41\xc4\xe8\xf2" + bytes(4)]),
        "objects": b"\xd2\x01\x02\x03\x04\x51a\x52bb\xa3\x05\x04\x05\x10\x07\x09\x61\x00\xe9\x80\x01",
        "utf16": bplist([b"\xa2\x01\x02", b"\x62\xd8\x3d\xdc\x26", b"\x61\x00e"]),
    }


def xml(body: str) -> bytes:
    return xmllists.plist(f"\n{body}\n").encode()


def xml_seeds() -> dict[str, bytes]:
    return {
        "settings": plistlib.dumps(SETTINGS),
        "empty": xml("<dict/>"),
        "one-line": b"<plist><dict><key>a</key><true/></dict></plist>",
        "text": xml("<array><string>a&amp;b &#x1F426;<![CDATA[<&]]><!-- c --></string><string/><?x y?></array>"),
        "numbers": xml("<array><integer>-0x7f</integer><integer>99999999999999999999</integer><real>-inf</real>"
                       "<real>.5e-3</real><date>2024-02-29T23:59:59Z</date><data>AAEC /w==</data></array>"),
        "uid": xml("<dict><key>CF$UID</key><integer>1</integer></dict>"),
        "windows": xml("<dict>\r\n\t<key>a\tb</key>\r\n\t<false/>\r\n</dict>").replace(b"\n<plist", b"\r\n<plist"),
        "mark": b"\xef\xbb\xbf" + xml("<array><array/><dict/></array>"),
    }


def json_seeds() -> dict[str, bytes]:
    return {
        "settings": b'{"weightUnit": "kg", "restTimer": 90, "soundOn": true, "ratio": -0.5e-3, "none": null,\n'
                    b' "favoriteExercises": ["squat", "b\\u00e4nk", "\\ud83d\\udc26"], "nested": {"a": [[], {}]}}\n',
        "empty": b"{}",
        "array": b'[1, "a", 18446744073709551616, 1E+5, "\\"\\\\\\/\\b\\f\\n\\r\\t"]',
        "mark": b'\xef\xbb\xbf{"cloudMigrationDone":false}',
        "deep": b"[" * 40 + b"]" * 40,
    }


def favorite_seeds() -> dict[str, bytes]:
    """The first byte: encoding (0 auto … 5 keyed archive) + 8 × kind of value (0 data, 1 text, 2 from the rest)."""
    def choice(encoding: int, kind: int) -> bytes:
        return bytes([encoding + 8 * kind])

    binary = plistlib.dumps(archive(["squat", "row"]), fmt=plistlib.FMT_BINARY)
    return {
        "csv": choice(0, 1) + b'squat, row ,"a ""b"", c"\r\n\r\nbench,,\n',
        "csv-data": choice(3, 0) + b'"squat"\t,7\rrow',
        "json": choice(0, 1) + b'["squat", 7, "row", "squat", null]',
        "json-dates": choice(2, 1) + b'{"squat": "2026-03-01T07:15:00Z", "row": true, "bench": 0, "press": 1}',
        "archive-data": choice(0, 0) + binary,
        "archive-xml": choice(5, 2) + plistlib.dumps(archive(["squat"], lambda n: {"CF$UID": n})),
        "array": choice(1, 2) + plistlib.dumps(["squat", 3, "row"], fmt=plistlib.FMT_BINARY),
        "dictionary": choice(0, 2) + plistlib.dumps({"squat": WHEN, "row": False, "x": b""}, fmt=plistlib.FMT_BINARY),
        "list-in-data": choice(0, 0) + plistlib.dumps(["squat"], fmt=plistlib.FMT_BINARY),
    }


def edit_seeds() -> dict[str, bytes]:
    """The first byte: flag + 2 × number of the key; the rest is a preferences file."""
    formats = {"binary": binary_seeds(), "xml": xml_seeds(), "json": json_seeds()}
    seeds = {f"{name}-settings": b"\x01" + files["settings"] for name, files in formats.items()}
    seeds |= {f"{name}-empty": b"\x01" + files["empty"] for name, files in formats.items()}
    full = {f"key{number:03}": [number] for number in range(84)}
    seeds["binary-full"] = b"\x03" + plistlib.dumps(full, fmt=plistlib.FMT_BINARY)
    seeds["binary-objects"] = b"\x03" + binary_seeds()["objects"]
    seeds["xml-markup"] = b"\x09" + xml_seeds()["one-line"]
    seeds["xml-windows"] = b"\x03" + xml_seeds()["windows"]
    seeds["json-mark"] = b"\x01" + json_seeds()["mark"]
    return seeds
